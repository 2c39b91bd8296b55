import { type BudgetRule, NOTHING, of, plainBooks, RESERVATION_MS } from './budget-store-books.ts';

const CALLERS = 100;
const HOUR = 3_600_000;
/** So many that a process may begin to hold some of the budget ahead of its calls. */
const MANY = 60;

/** The rules of stores whose books are kept by a server, for many processes. */
export const SERVER_RULES: readonly BudgetRule[] = [
  [
    'BST15',
    'shares its books with the stores of other processes, however many ask at once',
    async (expect, store, books) => {
      const stores = [store, await books.store(), await books.store()];
      const limits = { nanoUsd: 3 * 10 };
      const asked = Array.from({ length: CALLERS }, async (_, i) => {
        const one = stores[i % stores.length] ?? store;
        const { isGranted } = await one.reserve(`call ${i}`, of(3, 0), limits);
        if (isGranted) await one.settle(`call ${i}`, of(3, 0));
        return isGranted;
      });
      const made = (await Promise.all(asked)).filter(Boolean).length;
      expect('the calls made', made, 10);
      for (const one of stores) {
        const { spent, reserved } = plainBooks(await one.totals());
        expect('the books', { spent, reserved }, { spent: of(30, 0), reserved: NOTHING });
      }
    },
  ],
  [
    'BST16',
    'goes by the clock of its server, however far those of the processes are out',
    async (expect, store, books) => {
      const ahead = await books.store(HOUR);
      const behind = await books.store(-HOUR);
      await store.reserve('a', of(1, 0), {});
      await ahead.reserve('b', of(2, 0), {});
      await behind.reserve('c', of(4, 0), {});
      await books.advance(RESERVATION_MS / 2);
      for (const one of [ahead, behind, store]) {
        expect('what is held', (await one.totals()).reserved.nanoUsd, 7);
      }
      await books.advance(RESERVATION_MS / 2);
      for (const one of [behind, store, ahead]) {
        expect('what is held once all have expired', (await one.totals()).reserved.nanoUsd, 0);
      }
    },
  ],
  [
    'BST17',
    'admits nothing from what was released while a process stood still, and gives back nothing twice',
    async (expect, store, books) => {
      const other = await books.store();
      const limits = { nanoUsd: 3 * 100 * MANY };
      for (let i = 0; i < MANY; i++) {
        await store.reserve(`call ${i}`, of(3, 0), limits);
        await store.settle(`call ${i}`, of(3, 0));
      }
      const spent = of(3 * MANY, 0);
      await books.advance(RESERVATION_MS);
      const rest = of(limits.nanoUsd - spent.nanoUsd, 0);
      const all = await other.reserve('the rest', rest, limits);
      expect('a reservation of the rest by another process', all.isGranted, true);
      for (const id of ['first', 'second']) {
        const late = await store.reserve(id, of(1, 0), limits);
        expect(`the ${id} call of the one that stood still`, late.isGranted, false);
      }
      expect('the books', plainBooks(await other.totals()), { spent, reserved: rest });
    },
  ],
];
