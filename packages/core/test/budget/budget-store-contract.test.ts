import { describe, expect, it } from 'vitest';
import { type BudgetStore, MemoryBudgetStore } from '../../src/index.ts';
import type { Amount, BudgetLimits } from '../../src/kit.ts';
import { type BudgetStoreSetup, budgetStoreContract } from '../../src/testing/index.ts';

class Memory extends MemoryBudgetStore {
  constructor(setup: BudgetStoreSetup) {
    super(undefined, setup);
  }
}

describe('MemoryBudgetStore', () => {
  for (const { id, title, check } of budgetStoreContract((setup) => new Memory(setup))) {
    it(`[${id}] ${title}`, check);
  }
});

/** Looks at its books, waits, and holds then. */
class Hasty extends Memory {
  override reserve(id: string, amount: Amount, limits: BudgetLimits): never {
    const { isGranted } = super.reserve(id, amount, limits);
    super.settle(id, { nanoUsd: 0, tokens: 0 });
    return new Promise((resolve) => {
      setImmediate(() => resolve({ ...super.reserve(id, amount, {}), isGranted }));
    }) as never;
  }
}

class Forgetful extends Memory {
  constructor({ now }: BudgetStoreSetup) {
    super({ now, reservationMs: Number.MAX_SAFE_INTEGER });
  }
}

class Pursy extends Memory {
  override reserve(...[id, amount, limits]: Parameters<BudgetStore['reserve']>) {
    return super.reserve(id, amount, limits);
  }
}

class Doubtful extends Memory {
  override settle(id: string | undefined, actual: Amount) {
    if (id !== undefined && this.totals().reserved.tokens > 0) super.settle(undefined, actual);
    return super.settle(id, actual);
  }
}

describe('a store that breaks the rules', () => {
  it.each([
    ['checks in one step and holds in another', Hasty, ['BST6', 'BST7']],
    ['never lets go', Forgetful, ['BST8', 'BST12']],
    ['keeps no purses', Pursy, ['BST11', 'BST12']],
    ['books twice', Doubtful, ['BST4', 'BST12']],
  ])('[CON7] fails: %s', async (_, Broken, rules) => {
    const failed: string[] = [];
    for (const { id, check } of budgetStoreContract((setup) => new Broken(setup))) {
      await check().catch((error) => {
        expect(error).toMatchObject({ name: 'ContractViolationError', rule: id });
        failed.push(id);
      });
    }
    expect(failed).toEqual(expect.arrayContaining(rules));
    expect(failed).not.toContain('BST10');
  });
});
