import { describe, expect, it } from 'vitest';
import { BudgetExceededError, guard, guardAll, isTripped } from '../../src/index.ts';

/** A builder of a query, which asks when it is awaited. */
class Query {
  asked = 0;
  readonly #rows: readonly string[];

  constructor(rows: readonly string[]) {
    this.#rows = rows;
  }

  where(start: string): Query {
    return new Query(this.#rows.filter((row) => row.startsWith(start)));
  }

  // biome-ignore lint/suspicious/noThenProperty: as builders of queries have it
  then(resolve: (rows: readonly string[]) => void): void {
    this.asked++;
    resolve(this.#rows);
  }
}

class Later<T> extends Promise<T> {
  withResponse(): string {
    return 'the response';
  }
}

class Table {
  static readonly made: number = 0;
  name = 'rows';
  #rows = 0;

  insert(row: string): string {
    this.#rows++;
    return `${row} in ${this.name}`;
  }

  get size(): number {
    return this.#rows;
  }
}

class Ledger extends Table {
  readonly close = (): string => `${this.name} closed`;

  override insert(row: string): string {
    return `${super.insert(row)}, booked`;
  }
}

describe('what a guarded function gives', () => {
  it('[GFN18] is a thenable as it is, which nobody asks before its caller does', async () => {
    const select = guard((...rows: string[]) => new Query(rows));
    const query = select('ann', 'bob', 'alf');
    expect(query.asked).toBe(0);
    expect(await query.where('a')).toEqual(['ann', 'alf']);
    expect(query.asked).toBe(0);
  });

  it('[GFN18] is a promise of its class, with its members, whose outcome counts all the same', async () => {
    const ask = guard((_: string) => Later.resolve('same') as Later<string>);
    expect(ask('x')).toBeInstanceOf(Later);
    await Promise.resolve();
    const second = ask('x');
    expect(second.withResponse()).toBe('the response');
    expect(await second).toBe('same');
    await expect(ask('x')).rejects.toSatisfy(isTripped);
  });

  it('[GFN18] is an error that reaches its caller, and nobody else', async () => {
    const unhandled: unknown[] = [];
    const listen = (error: unknown): unknown => unhandled.push(error);
    process.on('unhandledRejection', listen);
    const fail = guard(async (i: number) => Promise.reject(new Error(`no luck ${i}`)));
    await expect(fail(1)).rejects.toThrow('no luck 1');
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', listen);
    expect(unhandled).toEqual([]);
  });

  it.each([
    ['signature', { signature: broken }],
    ['estimate', { estimate: broken, budget: { maxUsd: 1 } }],
    ['tokens', { tokens: broken }],
  ])('[GFN18] is a rejection if %s throws and it is async', async (_, options) => {
    const wait = guard(async (_: string) => 1, options as object);
    await expect(wait('x')).rejects.toThrow('no idea');
    const now = guard((_: string) => 1, options as object);
    expect(() => now('x')).toThrow('no idea');
  });
});

function broken(): never {
  throw new Error('no idea');
}

describe('a guarded object', () => {
  it('[GFN19] has the methods of its classes, on the object with its private fields', () => {
    const ledger = new Ledger();
    const guarded = guardAll(ledger);
    expect(guarded).toBeInstanceOf(Ledger);
    expect(guarded.insert('a')).toBe('a in rows, booked');
    expect([guarded.size, ledger.size]).toEqual([1, 1]);
    guarded.name = 'accounts';
    expect([ledger.name, guarded.close()]).toEqual(['accounts', 'accounts closed']);
    expect(guarded.insert('b')).toBe('b in accounts, booked');
    expect(guarded.insert('b')).toBe('b in accounts, booked');
    expect(() => guarded.insert('b')).toThrow("'insert' would be called for the third time");
    expect(guarded.insert('c')).toBe('c in accounts, booked');
    expect(guarded.toString()).toBe('[object Object]');
  });

  it('[GFN19] is iterated over and disposed of as before, however often', () => {
    class Box {
      readonly #names = ['read', 'write'];
      read = () => 'text';
      *[Symbol.iterator]() {
        yield* this.#names;
      }
    }
    const close = Symbol('close');
    const guarded = guardAll(Object.assign(new Box(), { [close]: () => 'closed' }));
    for (let i = 0; i < 4; i++) expect([...guarded]).toEqual(['read', 'write']);
    for (let i = 0; i < 4; i++) expect(guarded[close]()).toBe('closed');
  });

  it('[GFN19] lists what it had before, and may be frozen', () => {
    const guarded = guardAll(Object.freeze({ read: (path: string) => path, version: 3 }));
    expect(Object.keys(guarded)).toEqual(['read', 'version']);
    expect({ ...guarded }).toEqual({ read: guarded.read, version: 3 });
    expect(guarded.read('a')).toBe('a');
  });
});

describe('guarded calls with a cost and no estimate', () => {
  const paid = (ends: (() => void)[]) => async (i: number) => {
    await new Promise<void>((resolve) => ends.push(resolve));
    return { i, usd: 1 };
  };
  const cost = (_: number, { usd }: { readonly usd: number }): number => usd;

  it('[GFN20] are made one at a time, so that 500 side by side spend no more than there is', async () => {
    const ends: (() => void)[] = [];
    const call = guard(paid(ends), { budget: { maxUsd: 5 }, cost });
    const calls = Array.from({ length: 500 }, (_, i) => call(i));
    for (const end of ends) end();
    const results = await Promise.allSettled(calls);
    const made = results.filter(({ status }) => status === 'fulfilled');
    expect(made).toHaveLength(1);
    const refused = results.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    expect(refused.every((error) => error instanceof BudgetExceededError)).toBe(true);
  });

  it('[GFN20] are all made that there is money for, one after another', async () => {
    const call = guard(async (i: number) => ({ i, usd: 1 }), { budget: { maxUsd: 5 }, cost });
    const made: number[] = [];
    for (let i = 0; i < 8; i++) await call(i).then(() => made.push(i), isTripped);
    expect(made).toEqual([0, 1, 2, 3, 4]);
  });
});
