import { BooksOfCheck } from './budget-store-books.ts';
import { BUDGET_STORE_RULES } from './budget-store-rules.ts';
import { SERVER_RULES } from './budget-store-server-rules.ts';
import type { BudgetStoreServer, MakeBudgetStore } from './budget-store-setup.ts';
import { type AsyncContractCheck, expecting } from './contract-check.ts';

/**
 * The rules that every budget store keeps, as checks for any test runner; with a `server` also those of stores in many
 * processes, whose clocks differ.
 *
 * @example
 * ```ts
 * for (const { check } of budgetStoreContract((setup) => new MemoryBudgetStore(undefined, setup))) await check();
 * ```
 */
export function budgetStoreContract(
  make: MakeBudgetStore,
  server?: BudgetStoreServer,
): readonly AsyncContractCheck[] {
  const rules = [...BUDGET_STORE_RULES, ...(server === undefined ? [] : SERVER_RULES)];
  return rules.map(([id, title, check]) => ({
    id,
    title,
    check: async () => {
      const books = new BooksOfCheck(make, server);
      await check(expecting(id), await books.store(), books);
    },
  }));
}
