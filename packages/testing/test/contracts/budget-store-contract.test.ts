import { type BudgetStore, MemoryBudgetStore } from '@teamfuse/core';
import type { Amount, BudgetLimits } from '@teamfuse/core/kit';
import { describe, expect, it } from 'vitest';
import { type BudgetStoreSetup, budgetStoreContract, FakeClock } from '../../src/index.ts';

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

/** Books that are kept for many stores, by a clock of their own. */
class Server {
  readonly #budgets = new Map<string, { readonly clock: FakeClock; readonly books: Memory }>();

  readonly of = ({ budget = '', reservationMs }: BudgetStoreSetup) => {
    const clock = new FakeClock(5);
    const made = this.#budgets.get(budget) ?? {
      clock,
      books: new Memory({ now: clock.now, reservationMs }),
    };
    this.#budgets.set(budget, made);
    return made;
  };

  readonly advance = (ms: number, budget: string): void =>
    this.#budgets.get(budget)?.clock.advance(ms);
}

describe('stores of a server', () => {
  const server = new Server();
  const checks = budgetStoreContract((setup) => server.of(setup).books, server);
  for (const { id, title, check } of checks) it(`[${id}] ${title}`, check);
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

/** Adds what is spent to what it saw a moment ago. */
class Overwriting extends Memory {
  override settle(...[id, actual, purses]: Parameters<BudgetStore['settle']>): never {
    const { spent } = super.totals();
    return new Promise((resolve) => {
      setImmediate(() => {
        const lost = super.totals().spent.nanoUsd - spent.nanoUsd;
        const nanoUsd = Math.max(0, actual.nanoUsd - lost);
        resolve(super.settle(id, { ...actual, nanoUsd }, purses));
      });
    }) as never;
  }
}

/** Forgets which calls are over, so that a reservation that comes late is held for nobody. */
class LateAnswering extends Memory {
  override settle(...[id, actual, purses]: Parameters<BudgetStore['settle']>) {
    if (id === undefined) return super.settle(id, actual, purses);
    // Lets go of what is held under the id, but does not know it any more.
    super.reserve(id, { nanoUsd: 0, tokens: 0 }, {});
    return super.settle(undefined, actual, purses);
  }
}

/** Lets go of an expired reservation in the whole budget, and leaves it in its purses. */
class Haunted extends Memory {
  readonly #reserved = new Map<string, Amount>();

  override reserve(...[id, amount, limits, purses = []]: Parameters<BudgetStore['reserve']>) {
    for (const { name } of purses) this.#reserved.set(name, amount);
    return super.reserve(id, amount, limits, purses);
  }

  override totals(names: readonly string[] = []) {
    const { purses = [], ...whole } = super.totals(names);
    const reserved = (i: number) => this.#reserved.get(names[i] ?? '') ?? whole.reserved;
    return { ...whole, purses: purses.map((one, i) => ({ ...one, reserved: reserved(i) })) };
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

/** Keeps the first limits that it hears of a purse. */
class Stubborn extends Memory {
  readonly #limits = new Map<string, BudgetLimits>();

  override reserve(...[id, amount, limits, purses = []]: Parameters<BudgetStore['reserve']>) {
    const kept = purses.map((purse) => {
      const first = this.#limits.get(purse.name) ?? purse;
      this.#limits.set(purse.name, first);
      return { ...purse, ...first };
    });
    return super.reserve(id, amount, limits, kept);
  }
}

/** Books a settlement each time that it is sent. */
class Doubtful extends Memory {
  override settle(...[id, actual, purses]: Parameters<BudgetStore['settle']>) {
    const before = super.totals().spent;
    const after = super.settle(id, actual, purses).spent;
    const isKnown = before.nanoUsd === after.nanoUsd && before.tokens === after.tokens;
    return isKnown ? super.settle(undefined, actual, purses) : super.totals(purses);
  }
}

/** Asks its server by the clock of its own process. */
class Skewed implements BudgetStore {
  readonly #now: () => number;
  readonly #ms: number;
  readonly #books: Memory;
  readonly #held: Map<string, number>;

  constructor({ now, reservationMs }: BudgetStoreSetup, books: Memory, held: Map<string, number>) {
    this.#now = now;
    this.#ms = reservationMs;
    this.#books = books;
    this.#held = held;
  }

  reserve(...[id, ...rest]: Parameters<BudgetStore['reserve']>) {
    this.#expire();
    this.#held.set(id, this.#now());
    return this.#books.reserve(id, ...rest);
  }

  settle(...[id, ...rest]: Parameters<BudgetStore['settle']>) {
    this.#expire();
    return this.#books.settle(id, ...rest);
  }

  totals(...purses: Parameters<BudgetStore['totals']>) {
    this.#expire();
    return this.#books.totals(...purses);
  }

  #expire(): void {
    for (const [id, at] of this.#held) {
      if (at > this.#now() - this.#ms) continue;
      this.#books.settle(id, { nanoUsd: 0, tokens: 0 });
      this.#held.delete(id);
    }
  }
}

/** Holds a lease ahead of its calls, and does not look when it ends. */
class GhostLease implements BudgetStore {
  static made = 0;
  /** What was given back of leases that the server had released already. */
  static readonly given = new Map<Memory, number>();
  readonly #books: Memory;
  readonly #lifeMs: number;
  readonly #now: () => number;
  readonly #givesBack: boolean;
  readonly #lease = `lease ${GhostLease.made++}`;
  #idle = 0;
  #from = 0;

  constructor({ now, reservationMs }: BudgetStoreSetup, books: Memory, givesBack: boolean) {
    this.#books = books;
    this.#lifeMs = reservationMs;
    this.#now = now;
    this.#givesBack = givesBack;
  }

  reserve(...[id, amount, limits, purses]: Parameters<BudgetStore['reserve']>) {
    if (this.#givesBack && this.#idle > 0 && this.#now() >= this.#from + this.#lifeMs) {
      this.#idle = 0;
      GhostLease.given.set(this.#books, this.#given + AHEAD);
    }
    if (purses === undefined && amount.tokens === 0 && this.#leases(amount.nanoUsd, limits)) {
      this.#idle -= amount.nanoUsd;
      return { isGranted: true, totals: this.totals() };
    }
    const nanoUsd = limits.nanoUsd === undefined ? undefined : limits.nanoUsd + this.#given;
    return this.#books.reserve(
      id,
      amount,
      nanoUsd === undefined ? limits : { ...limits, nanoUsd },
      purses,
    );
  }

  settle(...booking: Parameters<BudgetStore['settle']>) {
    return this.#books.settle(...booking);
  }

  totals(...purses: Parameters<BudgetStore['totals']>) {
    return this.#books.totals(...purses);
  }

  get #given(): number {
    return GhostLease.given.get(this.#books) ?? 0;
  }

  #leases(nanoUsd: number, limits: BudgetLimits): boolean {
    if (this.#idle < nanoUsd) {
      const { isGranted } = this.#books.reserve(this.#lease, { nanoUsd: AHEAD, tokens: 0 }, limits);
      if (isGranted) [this.#idle, this.#from] = [AHEAD, this.#now()];
    }
    return this.#idle >= nanoUsd;
  }
}

const AHEAD = 33;

/** The rules that a store breaks. */
async function broken(...made: Parameters<typeof budgetStoreContract>): Promise<string[]> {
  const failed: string[] = [];
  for (const { id, check } of budgetStoreContract(...made)) {
    await check().catch((error) => {
      expect(error).toMatchObject({ name: 'ContractViolationError', rule: id });
      failed.push(id);
    });
  }
  return failed;
}

describe('a store that breaks the rules', () => {
  it.each([
    ['checks in one step and holds in another', Hasty, ['BST7']],
    ['loses updates', Overwriting, ['BST13']],
    ['holds for answers that came too late', LateAnswering, ['BST14']],
    ['leaves ghosts in purses', Haunted, ['BST8']],
    ['never lets go', Forgetful, ['BST8', 'BST12']],
    ['keeps no purses', Pursy, ['BST11', 'BST12']],
    ['keeps the first limits', Stubborn, ['BST18']],
    ['books twice', Doubtful, ['BST4', 'BST12']],
  ])('[CON7] fails: %s', async (_, Broken, rules) => {
    const failed = await broken((setup) => new Broken(setup));
    expect(failed).toEqual(expect.arrayContaining(rules));
    expect(failed).not.toContain('BST10');
  });

  it('[CON7] fails: goes by the clock of its process', async () => {
    const server = new Server();
    const held = new Map<Memory, Map<string, number>>();
    const make = (setup: BudgetStoreSetup): BudgetStore => {
      const { books } = server.of({ ...setup, reservationMs: Number.MAX_SAFE_INTEGER });
      const ids = held.get(books) ?? new Map<string, number>();
      held.set(books, ids);
      return new Skewed(setup, books, ids);
    };
    const failed = await broken(make, server);
    expect(failed).toContain('BST16');
    expect(failed).not.toContain('BST15');
  });

  it.each([
    ['admits from a lease that has expired', false],
    ['gives a lease back that has expired', true],
  ])('[CON7] fails: %s', async (_, givesBack) => {
    const server = new Server();
    const make = (setup: BudgetStoreSetup) =>
      new GhostLease(setup, server.of(setup).books, givesBack);
    const failed = await broken(make, server);
    expect(failed).toContain('BST17');
    expect(failed).not.toContain('BST15');
  });
});
