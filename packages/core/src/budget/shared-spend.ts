import type { Timers } from '../deadline.ts';
import type { JsonValue } from '../json.ts';
import { recordAt, text } from '../state/codec.ts';
import type { Cost } from '../trip.ts';
import { BUDGET_STATE, Budget } from './budget.ts';
import type { BudgetOptions } from './budget-options.ts';
import { COST, NO_COST } from './spend-history.ts';

/** The spend of all conversations of a breaker. @internal */
export class SharedSpend {
  readonly budget: Budget;
  /** Tells the conversations of this breaker apart from those of others with the same store; a snapshot takes it along. */
  id: string = crypto.randomUUID();
  total: Cost = NO_COST;
  /** The judge's part of the total. */
  judgeCost: Cost = NO_COST;

  constructor(options: BudgetOptions | undefined, now?: () => number, timers?: Timers) {
    this.budget = new Budget(options, now, timers);
  }

  snapshot(): JsonValue {
    return {
      id: this.id,
      total: COST.write(this.total),
      judge: COST.write(this.judgeCost),
      memory: this.budget.memory?.snapshot() ?? null,
      ...(BUDGET_STATE.write(this.budget.state) as object),
    };
  }

  /** @throws {@link InvalidSnapshotError} */
  restore(snapshot: unknown): void {
    const state = recordAt('spend', snapshot);
    // The first snapshots of this version did not hold what is owed.
    const { id, total, judge, memory, underWay, warned, owed = [] } = state;
    const restoredId = text.read('spend.id', id);
    const restoredTotal = COST.read('spend.total', total);
    const restoredJudge = COST.read('spend.judge', judge);
    const restoredState = BUDGET_STATE.read('spend', { underWay, warned, owed });
    if (memory) this.budget.memory?.restore(memory as JsonValue);
    this.id = restoredId;
    this.total = restoredTotal;
    this.judgeCost = restoredJudge;
    this.budget.state = restoredState;
  }
}
