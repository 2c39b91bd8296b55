import type { Timers } from '../deadline.ts';
import type { JsonValue } from '../json.ts';
import { uniqueId } from '../machine.ts';
import { type Codec, list, record, recordAt, text } from '../state/codec.ts';
import type { Cost } from '../trip.ts';
import { Budget } from './budget.ts';
import type { BudgetOptions } from './budget-options.ts';
import { RESERVATIONS, type SavedReservation } from './calls/reservations.ts';
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
}

const STATE: Codec<SpendState> = record<SpendState>({
  id: text,
  total: COST,
  judge: COST,
  reservations: RESERVATIONS,
  warned: list(text),
  unsettled: UNSETTLED,
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
    const state = STATE.write({ id, total, judge, reservations, warned, unsettled });
    return { ...(state as object), memory: budget.memory?.snapshot() ?? null };
  }

  /** @throws {@link InvalidSnapshotError} */
  restore(snapshot: unknown): void {
    const { id, total, judge, reservations, warned, unsettled } = STATE.read('spend', snapshot);
    const { memory } = recordAt('spend', snapshot);
    const { budget } = this;
    if (memory) budget.memory?.restore(memory as JsonValue);
    this.id = id;
    this.total = total;
    this.judgeCost = judge;
    budget.reservations.state = reservations;
    budget.warnings.state = warned;
    budget.unsettled = unsettled;
  }
}
