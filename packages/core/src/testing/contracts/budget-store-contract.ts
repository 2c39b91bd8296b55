import type { Amount } from '../../budget/amount.ts';
import type {
  BudgetLimits,
  BudgetStore,
  BudgetTotals,
  Purse,
} from '../../budget/store/budget-store.ts';
import { MemoryBudgetStore } from '../../budget/store/memory-budget-store.ts';
import type { MaybePromise } from '../../maybe-promise.ts';
import { FakeClock } from '../fake-clock.ts';
import { SeededRandom } from '../seeded-random.ts';
import { type AsyncContractCheck, ContractViolationError } from './contract-check.ts';

/** What a store of the contract is made with. */
export interface BudgetStoreSetup {
  /** The clock to go by, in milliseconds. */
  readonly now: () => number;
  /** After so many milliseconds a reservation that was never settled is released. */
  readonly reservationMs: number;
}

/** Makes a store with nothing on its books. */
export type MakeBudgetStore = (setup: BudgetStoreSetup) => MaybePromise<BudgetStore>;

const NOTHING: Amount = { nanoUsd: 0, tokens: 0 };
const RESERVATION_MS = 60_000;
const CALLERS = 200;
const STEPS = 400;
const MOST = Number.MAX_SAFE_INTEGER;
const ODD_IDS = ['', ' ', "'; DROP TABLE held; --", '%', 'ä', 'a\n', '\u0000', 'a'.repeat(5000)];

/**
 * The rules that every budget store keeps, as checks for any test runner.
 *
 * @example
 * ```ts
 * for (const { check } of budgetStoreContract((setup) => new MemoryBudgetStore(undefined, setup))) await check();
 * ```
 */
export function budgetStoreContract(make: MakeBudgetStore): readonly AsyncContractCheck[] {
  const rule = (
    id: string,
    title: string,
    check: (expect: Expect, store: BudgetStore, clock: FakeClock) => Promise<void>,
  ): AsyncContractCheck => ({
    id,
    title,
    check: async () => {
      const clock = new FakeClock(1_000_000);
      const store = await make({ now: clock.now, reservationMs: RESERVATION_MS });
      await check(expecting(id), store, clock);
    },
  });
  return [
    rule(
      'BST1',
      'grants what reaches a limit exactly, and refuses a unit more',
      async (expect, store) => {
        for (const [i, unit] of (['nanoUsd', 'tokens'] as const).entries()) {
          const limits = { [unit]: 100 * (i + 1) };
          const amount = (n: number): Amount => ({ ...NOTHING, [unit]: n });
          const used = (await store.totals()).reserved[unit];
          const rest = 100 * (i + 1) - used;
          const more = await store.reserve(`${unit} more`, amount(rest + 1), limits);
          expect('a reservation beyond the limit', more.isGranted, false);
          const exact = await store.reserve(`${unit} exact`, amount(rest), limits);
          expect('a reservation up to the limit', exact.isGranted, true);
        }
      },
    ),
    rule(
      'BST2',
      'answers with its books: after a grant the new ones, else as they stood',
      async (expect, store) => {
        const held = { spent: NOTHING, reserved: of(30, 3) };
        expect(
          'the answer to a grant',
          plain(await store.reserve('a', of(30, 3), {})),
          granted(held),
        );
        const refused = await store.reserve('b', of(80, 0), { nanoUsd: 100 });
        expect('the answer to a refusal', plain(refused), { isGranted: false, totals: held });
        expect('totals()', books(await store.totals()), held);
      },
    ),
    rule('BST3', 'counts what is spent and what is held together', async (expect, store) => {
      await store.settle(undefined, of(0, 40));
      await store.reserve('a', of(0, 40), { tokens: 100 });
      const third = await store.reserve('b', of(0, 21), { tokens: 100 });
      expect('a reservation of 21 beside 80 of 100', third.isGranted, false);
    }),
    rule(
      'BST4',
      'books what a call took and lets go of what it held, once however often it settles',
      async (expect, store) => {
        await store.reserve('a', of(30, 3), {});
        await store.reserve('b', of(20, 2), {});
        await store.settle('a', of(1, 1));
        const after = { spent: of(2, 2), reserved: of(20, 2) };
        expect('the answer to settle()', books(await store.settle('a', of(1, 1))), after);
        expect('totals()', books(await store.totals()), after);
      },
    ),
    rule(
      'BST5',
      'books without an id, or under one it does not know, and lets go of nothing',
      async (expect, store) => {
        await store.reserve('a', of(30, 3), {});
        await store.settle(undefined, of(5, 0));
        const after = { spent: of(6, 1), reserved: of(30, 3) };
        expect('the answer', books(await store.settle('stranger', of(1, 1))), after);
      },
    ),
    rule(
      'BST6',
      'replaces what is held under an id, and keeps it where that is refused',
      async (expect, store) => {
        const limits = { tokens: 100 };
        await store.reserve('a', of(0, 60), limits);
        expect('as much again', (await store.reserve('a', of(0, 70), limits)).isGranted, true);
        expect('too much', (await store.reserve('a', of(0, 101), limits)).isGranted, false);
        expect('what is held', (await store.totals()).reserved.tokens, 70);
      },
    ),
    rule(
      'BST7',
      'checks and holds in one step, however many ask at once',
      async (expect, store) => {
        const limits = { tokens: 10 * 7 };
        const asked = Array.from({ length: CALLERS }, async (_, i) =>
          store.reserve(`call ${i}`, of(0, 7), limits),
        );
        const answers = await Promise.all(asked);
        expect('the grants', answers.filter(({ isGranted }) => isGranted).length, 10);
        expect('what is held', (await store.totals()).reserved.tokens, 70);
      },
    ),
    rule(
      'BST8',
      'releases what was never settled, and books a late call all the same',
      async (expect, store, clock) => {
        await store.reserve('a', of(5, 5), {});
        clock.advance(RESERVATION_MS / 2);
        await store.reserve('b', of(7, 7), {});
        clock.advance(RESERVATION_MS / 2);
        expect('what is held', books(await store.totals()).reserved, of(7, 7));
        const late = await store.settle('a', of(4, 4));
        expect('the books', books(late), { spent: of(4, 4), reserved: of(7, 7) });
        clock.advance(RESERVATION_MS);
        const next = await store.reserve('c', of(0, 96), { tokens: 100 });
        expect('a reservation once all have expired', next.isGranted, true);
      },
    ),
    rule('BST9', 'tells ids and purses apart, whatever they are made of', async (expect, store) => {
      for (const [i, id] of ODD_IDS.entries()) {
        const purses = id === '' ? [] : [{ name: id }];
        await store.reserve(id, of(0, i + 1), {}, purses);
      }
      for (const [i, id] of ODD_IDS.entries()) {
        const before = (await store.totals()).reserved.tokens;
        const after = (await store.settle(id, NOTHING)).reserved.tokens;
        expect(`what was held under ${JSON.stringify(id.slice(0, 30))}`, before - after, i + 1);
      }
    }),
    rule('BST10', 'stops at the largest safe integer', async (expect, store) => {
      await store.settle(undefined, of(MOST, MOST));
      const { spent } = await store.settle(undefined, of(MOST, 1));
      expect('what is spent', { ...spent }, of(MOST, MOST));
    }),
    rule(
      'BST11',
      'holds in all purses or in none, and answers with their books in order',
      async (expect, store) => {
        const [big, small] = [
          { name: 'big', tokens: 100 },
          { name: 'small', tokens: 10 },
        ];
        const first = await store.reserve('a', of(0, 8), {}, [big, small]);
        const one = { spent: NOTHING, reserved: of(0, 8) };
        expect('the purses', first.totals.purses?.map(books), [one, one]);
        const second = await store.reserve('b', of(0, 8), {}, [big, small]);
        expect('a reservation that one purse refuses', second.isGranted, false);
        expect('the purses then', second.totals.purses?.map(books), [one, one]);
        await store.settle('a', of(0, 3), ['big']);
        const { purses } = await store.totals(['small', 'big']);
        const none = { spent: NOTHING, reserved: NOTHING };
        expect('the purses at last', purses?.map(books), [none, { ...none, spent: of(0, 3) }]);
      },
    ),
    rule(
      'BST12',
      'keeps the same books as a store in memory, whatever is asked',
      async (expect, store, clock) => {
        const memory = new MemoryBudgetStore(undefined, {
          now: clock.now,
          reservationMs: RESERVATION_MS,
        });
        const random = new SeededRandom(7);
        for (let step = 0; step < STEPS; step++) {
          const ask = anyStep(random);
          clock.advance(random.below(RESERVATION_MS / 10));
          expect(
            `step ${step}, ${ask.title}`,
            ask.on(await ask.ask(store)),
            ask.on(await ask.ask(memory)),
          );
        }
      },
    ),
  ];
}

interface AnyStep {
  readonly title: string;
  readonly ask: (store: BudgetStore) => MaybePromise<unknown>;
  readonly on: (answer: unknown) => unknown;
}

function anyStep(random: SeededRandom): AnyStep {
  const id = `call ${random.below(12)}`;
  const amount = of(random.below(40), random.below(40));
  const purses: Purse[] = random.oneIn(2)
    ? [{ name: `agent ${random.below(3)}`, tokens: 150 }]
    : [];
  const names = purses.map(({ name }) => name);
  const limits: BudgetLimits = { nanoUsd: 3000, tokens: 3000 };
  const on = (answer: unknown): unknown => JSON.parse(JSON.stringify(answer));
  if (random.oneIn(3)) {
    return { title: `settle ${id}`, ask: (store) => store.settle(id, amount, names), on };
  }
  return { title: `reserve ${id}`, ask: (store) => store.reserve(id, amount, limits, purses), on };
}

type Expect = (what: string, received: unknown, expected: unknown) => void;

function expecting(id: string): Expect {
  return (what, received, expected) => {
    const [got, wanted] = [JSON.stringify(received), JSON.stringify(expected)];
    if (got === wanted) return;
    throw new ContractViolationError(id, `${what}: expected ${wanted}, received ${got}`);
  };
}

function of(nanoUsd: number, tokens: number): Amount {
  return { nanoUsd, tokens };
}

function granted(totals: BudgetTotals): unknown {
  return { isGranted: true, totals };
}

/** The whole budget's books, in a fixed order. */
function books({ spent, reserved }: BudgetTotals): BudgetTotals {
  return {
    spent: of(spent.nanoUsd, spent.tokens),
    reserved: of(reserved.nanoUsd, reserved.tokens),
  };
}

function plain({ isGranted, totals }: { isGranted: boolean; totals: BudgetTotals }): unknown {
  return { isGranted, totals: books(totals) };
}
