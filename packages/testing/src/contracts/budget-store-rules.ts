import type { Amount } from '@teamfuse/core/kit';
import { SeededRandom } from '../seeded-random.ts';
import {
  anyStep,
  type BudgetRule,
  granted,
  MOST,
  NOTHING,
  of,
  plain,
  plainBooks,
  RESERVATION_MS,
} from './budget-store-books.ts';

const CALLERS = 200;
const STEPS = 400;
/** Not a part of a reservation's life: the clock of a server goes on by itself, too. */
const STEP_MS = 7_000;
const ODD_IDS = ['', ' ', "'; DROP TABLE held; --", '%', 'ä', 'a\n', '\u0000', 'a'.repeat(5000)];

/** The rules of every budget store. */
export const BUDGET_STORE_RULES: readonly BudgetRule[] = [
  [
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
  ],
  [
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
      expect('totals()', plainBooks(await store.totals()), held);
    },
  ],
  [
    'BST3',
    'counts what is spent and what is held together',
    async (expect, store) => {
      await store.settle(undefined, of(0, 40));
      await store.reserve('a', of(0, 40), { tokens: 100 });
      const third = await store.reserve('b', of(0, 21), { tokens: 100 });
      expect('a reservation of 21 beside 80 of 100', third.isGranted, false);
    },
  ],
  [
    'BST4',
    'books what a call took and lets go of what it held, once however often that is sent',
    async (expect, store) => {
      await store.reserve('a', of(30, 3), {});
      await store.reserve('b', of(20, 2), {});
      const after = { spent: of(1, 1), reserved: of(20, 2) };
      expect('the answer to settle()', plainBooks(await store.settle('a', of(1, 1))), after);
      expect('the answer when sent again', plainBooks(await store.settle('a', of(1, 1))), after);
      expect('totals()', plainBooks(await store.totals()), after);
    },
  ],
  [
    'BST5',
    'books without an id, or under one it does not know, and lets go of nothing',
    async (expect, store) => {
      await store.reserve('a', of(30, 3), {});
      await store.settle(undefined, of(5, 0));
      const after = { spent: of(6, 1), reserved: of(30, 3) };
      expect('the answer', plainBooks(await store.settle('stranger', of(1, 1))), after);
    },
  ],
  [
    'BST6',
    'replaces what is held under an id, and keeps it where that is refused',
    async (expect, store) => {
      const limits = { tokens: 100 };
      await store.reserve('a', of(0, 60), limits);
      expect('as much again', (await store.reserve('a', of(0, 70), limits)).isGranted, true);
      expect('too much', (await store.reserve('a', of(0, 101), limits)).isGranted, false);
      expect('what is held', (await store.totals()).reserved.tokens, 70);
    },
  ],
  [
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
  ],
  [
    'BST8',
    'releases what was never settled, and books a late call all the same',
    async (expect, store, books) => {
      await store.reserve('a', of(5, 5), {}, [{ name: 'purse' }]);
      await books.advance(RESERVATION_MS / 2);
      await store.reserve('b', of(7, 7), {});
      await books.advance(RESERVATION_MS / 2);
      const { purses = [], ...whole } = await store.totals(['purse']);
      expect('what is held', plainBooks(whole).reserved, of(7, 7));
      expect('what is held in its purse', purses.map(plainBooks), [
        { spent: NOTHING, reserved: NOTHING },
      ]);
      const late = await store.settle('a', of(4, 4));
      expect('the books', plainBooks(late), { spent: of(4, 4), reserved: of(7, 7) });
      await books.advance(RESERVATION_MS);
      const next = await store.reserve('c', of(0, 96), { tokens: 100 });
      expect('a reservation once all have expired', next.isGranted, true);
    },
  ],
  [
    'BST9',
    'tells ids and purses apart, whatever they are made of',
    async (expect, store) => {
      for (const [i, id] of ODD_IDS.entries()) {
        const purses = id === '' ? [] : [{ name: id }];
        await store.reserve(id, of(0, i + 1), {}, purses);
      }
      for (const [i, id] of ODD_IDS.entries()) {
        const before = (await store.totals()).reserved.tokens;
        const after = (await store.settle(id, NOTHING)).reserved.tokens;
        expect(`what was held under ${JSON.stringify(id.slice(0, 30))}`, before - after, i + 1);
      }
    },
  ],
  [
    'BST10',
    'stops at the largest safe integer',
    async (expect, store) => {
      await store.settle(undefined, of(MOST, MOST));
      const { spent } = await store.settle(undefined, of(MOST, 1));
      expect('what is spent', { ...spent }, of(MOST, MOST));
    },
  ],
  [
    'BST11',
    'holds in all purses or in none, and answers with their books in order',
    async (expect, store) => {
      const [big, small] = [
        { name: 'big', tokens: 100 },
        { name: 'small', tokens: 10 },
      ];
      const first = await store.reserve('a', of(0, 8), {}, [big, small]);
      const one = { spent: NOTHING, reserved: of(0, 8) };
      expect('the purses', first.totals.purses?.map(plainBooks), [one, one]);
      const second = await store.reserve('b', of(0, 8), {}, [big, small]);
      expect('a reservation that one purse refuses', second.isGranted, false);
      expect('the purses then', second.totals.purses?.map(plainBooks), [one, one]);
      await store.settle('a', of(0, 3), ['big']);
      const { purses } = await store.totals(['small', 'big']);
      const none = { spent: NOTHING, reserved: NOTHING };
      expect('the purses at last', purses?.map(plainBooks), [none, { ...none, spent: of(0, 3) }]);
    },
  ],
  [
    'BST12',
    'keeps the same books as a store in memory, whatever is asked',
    async (expect, store, books) => {
      const memory = books.inMemory();
      const random = new SeededRandom(7);
      for (let step = 0; step < STEPS; step++) {
        const ask = anyStep(random, step);
        if (random.oneIn(2)) await books.advance(STEP_MS);
        expect(
          `step ${step}, ${ask.title}`,
          ask.on(await ask.ask(store)),
          ask.on(await ask.ask(memory)),
        );
      }
    },
  ],
  [
    'BST13',
    'books every settlement, however many come at once',
    async (expect, store) => {
      const ids = Array.from({ length: CALLERS }, (_, i) => `call ${i}`);
      await Promise.all(ids.map(async (id) => store.reserve(id, of(3, 3), {})));
      await Promise.all(ids.map(async (id) => store.settle(id, of(2, 1), ['purse'])));
      const { purses = [], ...whole } = await store.totals(['purse']);
      const after = { spent: of(2 * CALLERS, CALLERS), reserved: NOTHING };
      expect('the books', plainBooks(whole), after);
      expect('the purse', purses.map(plainBooks), [after]);
    },
  ],
  [
    'BST14',
    'refuses a reservation that comes after the settlement of its id, and holds nothing',
    async (expect, store, books) => {
      await store.settle('given up', NOTHING);
      await store.reserve('made', of(5, 5), {});
      await store.settle('made', of(4, 4));
      await books.advance(RESERVATION_MS / 2);
      for (const id of ['given up', 'made']) {
        const late = await store.reserve(id, of(5, 5), {}, [{ name: 'purse' }]);
        expect(`a late reservation of the call ${id}`, late.isGranted, false);
      }
      const after = { spent: of(4, 4), reserved: NOTHING };
      const { purses = [], ...whole } = await store.settle('given up', of(9, 9), ['purse']);
      expect('the books', plainBooks(whole), after);
      expect('the purse', purses.map(plainBooks), [{ spent: NOTHING, reserved: NOTHING }]);
    },
  ],
  [
    'BST18',
    'goes by the limits of each call, and by what is held under others',
    async (expect, store) => {
      const reserve = async (id: string, taking: number, tokens: number): Promise<boolean> =>
        (await store.reserve(id, of(0, taking), {}, [{ name: 'purse', tokens }])).isGranted;
      expect('under a small limit', await reserve('a', 60, 20), false);
      expect('under a large limit', await reserve('a', 60, 60), true);
      expect('another one beside it', await reserve('b', 1, 20), false);
      await store.settle('a', of(0, 19), ['purse']);
      expect('another one after it', await reserve('b', 1, 20), true);
    },
  ],
];
