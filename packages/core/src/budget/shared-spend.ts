import { uniqueId } from '../common/clock.ts';
import type { Timers } from '../common/deadline.ts';
import type { JsonValue } from '../common/json.ts';
import { Tenant } from '../signal/tenant.ts';
import { type Codec, list, orElse, record, recordAt, text } from '../state/codec.ts';
import { RecentMap } from '../state/stateful.ts';
import type { Amount } from './amount.ts';
import { Budget } from './budget.ts';
import type { BudgetOptions } from './budget-options.ts';
import { RESERVATIONS, type SavedReservation } from './calls/reservations.ts';
import { type CallCost, SETTLED } from './calls/usage-cost.ts';
import { COST, type Cost, NO_COST, sum } from './cost.ts';
import { AnswerTokens } from './estimates.ts';
import { UNSETTLED, type UnsettledBooking } from './store/unsettled.ts';

/** What was spent, and the judge's part of it. */
interface Spent {
  readonly total: Cost;
  readonly judge: Cost;
}

const NOTHING_SPENT: Spent = { total: NO_COST, judge: NO_COST };
const SPENT = record<Spent>({ total: COST, judge: COST });
/** How many tenants' spend is kept. */
const MAX_TENANTS = 10_000;

/** What a snapshot holds besides the books of the store. */
interface SpendState {
  readonly id: string;
  readonly total: Cost;
  readonly judge: Cost;
  readonly reservations: readonly SavedReservation[];
  readonly warned: readonly string[];
  readonly unsettled: readonly UnsettledBooking[];
  readonly settled: readonly (readonly [string, CallCost])[];
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

/** The spend of all conversations of a breaker. */
export class SharedSpend {
  readonly budget: Budget;
  /** Identifies the conversations of this breaker among those of others with the same store; part of snapshots. */
  id: string = uniqueId();
  total: Cost = NO_COST;
  /** The judge's part of the total. */
  judgeCost: Cost = NO_COST;
  readonly answers: AnswerTokens = new AnswerTokens();
  /** By the prefixes of tenants. */
  readonly #tenants: RecentMap<string, Spent> = new RecentMap(MAX_TENANTS, text, SPENT);

  constructor(options: BudgetOptions | undefined, now?: () => number, timers?: Timers) {
    this.budget = new Budget(options, now, timers);
  }

  /** Adds what a tenant has spent, or its judge. */
  record({ prefixes }: Tenant, cost: Cost, isOfJudge: boolean): void {
    for (const prefix of prefixes) {
      const { total, judge } = this.spentBy(prefix);
      const spent = { total: sum(total, cost), judge: isOfJudge ? sum(judge, cost) : judge };
      if (prefix !== '') this.#tenants.set(prefix, spent);
      else [this.total, this.judgeCost] = [spent.total, spent.judge];
    }
  }

  /** What the tenant of this prefix has spent. */
  spentBy(prefix: string): Spent {
    if (prefix === '') return { total: this.total, judge: this.judgeCost };
    return this.#tenants.get(prefix) ?? NOTHING_SPENT;
  }

  /** What is reserved for calls of a tenant that are under way. */
  reservedFor(tenant: Tenant): Amount {
    return this.budget.reservations.heldBy((conversation) =>
      tenant.has(Tenant.of(conversation.slice(conversation.indexOf(':') + 1))),
    );
  }

  snapshot(): JsonValue {
    const { id, total, judgeCost: judge, budget } = this;
    const [reservations, warned] = [budget.reservations.state, budget.warnings.state];
    const { unsettled } = budget.ledger;
    const settled = budget.settled.state;
    const state = STATE.write({ id, total, judge, reservations, warned, unsettled, settled });
    const memory = budget.ledger.memory?.snapshot() ?? null;
    return { ...(state as object), memory, tenants: this.#tenants.snapshot() };
  }

  /** @throws {@link InvalidSnapshotError} */
  restore(snapshot: unknown): void {
    const state = STATE.read('spend', snapshot);
    const { memory, tenants = [] } = recordAt('spend', snapshot);
    const { budget } = this;
    const before = this.#tenants.snapshot();
    this.#tenants.restore('spend.tenants', tenants);
    try {
      if (memory) budget.ledger.memory?.restore(memory as JsonValue);
    } catch (error) {
      this.#tenants.restore('spend.tenants', before);
      throw error;
    }
    this.id = state.id;
    this.total = state.total;
    this.judgeCost = state.judge;
    budget.reservations.state = state.reservations;
    budget.warnings.state = state.warned;
    budget.ledger.unsettled = state.unsettled;
    budget.settled.state = state.settled;
  }
}
