import type { BudgetStore } from '@teamfuse/core';
import type { MaybePromise } from '@teamfuse/core/kit';

/** What a store of the contract is made with. */
export interface BudgetStoreSetup {
  /** The clock to go by, in milliseconds. */
  readonly now: () => number;
  /** After so many milliseconds a reservation that was never settled is released. */
  readonly reservationMs: number;
  /** With a {@link BudgetStoreServer}: the name of the budget. Stores of one name share their books. */
  readonly budget?: string;
}

/** What keeps the books of stores in many processes, and has a clock of its own. */
export interface BudgetStoreServer {
  /** Lets time pass for the books of a budget. */
  readonly advance: (ms: number, budget: string) => MaybePromise<void>;
}

/** Makes a store with nothing on its books. */
export type MakeBudgetStore = (setup: BudgetStoreSetup) => MaybePromise<BudgetStore>;
