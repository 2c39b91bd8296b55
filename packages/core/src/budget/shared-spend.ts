import type { Timers } from '../deadline.ts';
import type { JsonValue } from '../json.ts';
import { uniqueId } from '../machine.ts';
import { type Codec, list, orElse, record, recordAt, text } from '../state/codec.ts';
import type { Cost } from '../trip.ts';
import { Budget } from './budget.ts';
import type { BudgetOptions } from './budget-options.ts';
import { RESERVATIONS, type SavedReservation } from './calls/reservations.ts';
import { SETTLED } from './calls/settled-calls.ts';
import { COST, NO_COST } from './spend-history.ts';
import { UNSETTLED, type UnsettledBooking } from './store/unsettled.ts';

/** What a snapshot holds besides the books of the store. */
interface SpendState {
  readonly id: string;
  readonly total: Cost;
  readonly judge: Cost;
  readonly reservations: readonly SavedReservation[];
  readonly warned: readonly string[];
  readonly unsettled: readonly UnsettledBooking[];
  readonly settled: readonly (readonly [string, Cost])[];
}

const STATE: Codec<SpendState> = record<SpendState>({
  id: text,
  total: COST,
  judge: COST,
  reservations: RESERVATIONS,
  warned: list(text),
  unsettled: UNSETTLED,
  // Missing in older snapshots.
  settled: orElse(SETTLED, []),
});

/** The spend of all conversations of a breaker. @internal */
export class SharedSpend {
  readonly budget: Budget;
  /** Identifies the conversations of this breaker among those of others with the same store; part of snapshots. */
  id: string = uniqueId();
  total: Cost = NO_COST;
  /** The judge's part of the total. */
  judgeCost: Cost = NO_COST;

  constructor(options: BudgetOptions | undefined, now?: () => number, timers?: Timers) {
    this.budget = new Budget(options, now, timers);
  }

  snapshot(): JsonValue {
    const { id, total, judgeCost: judge, budget } = this;
    const [reservations, warned] = [budget.reservations.state, budget.warnings.state];
    const { unsettled } = budget;
    const settled = budget.settled.state;
    const state = STATE.write({ id, total, judge, reservations, warned, unsettled, settled });
    return { ...(state as object), memory: budget.memory?.snapshot() ?? null };
  }

  /** @throws {@link InvalidSnapshotError} */
  restore(snapshot: unknown): void {
    const state = STATE.read('spend', snapshot);
    const { memory } = recordAt('spend', snapshot);
    const { budget } = this;
    if (memory) budget.memory?.restore(memory as JsonValue);
    this.id = state.id;
    this.total = state.total;
    this.judgeCost = state.judge;
    budget.reservations.state = state.reservations;
    budget.warnings.state = state.warned;
    budget.unsettled = state.unsettled;
    budget.settled.state = state.settled;
  }
}
