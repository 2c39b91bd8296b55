import { describe, expect, it } from 'vitest';
import type { Amount } from '../../src/budget/amount.ts';
import { InvalidSnapshotError, MemoryBudgetStore } from '../../src/index.ts';
import type { JsonValue } from '../../src/kit.ts';

function of(nanoUsd: number, tokens: number): Amount {
  return { nanoUsd, tokens };
}

describe('options of a store in memory', () => {
  it.each<[unknown, object | undefined, string]>([
    [86_400_000, undefined, "option 'spent': expected an amount"],
    [{ nanoUsd: 0.5, tokens: 0 }, undefined, "option 'spent'"],
    [undefined, { windowMs: Number.NaN }, "option 'windowMs'"],
    [undefined, { reservationMs: -1 }, "option 'reservationMs'"],
    [undefined, { now: 5 }, "option 'now'"],
    [undefined, { window: 5 }, "option 'window'"],
  ])('[BUD10] are refused where they are none: %j, %j', (spent, options, text) => {
    expect(() => new MemoryBudgetStore(spent as never, options as never)).toThrow(text);
  });
});

describe('MemoryBudgetStore', () => {
  it.each([
    ['dollars', { nanoUsd: 100 }, of(40, 0), of(61, 0)],
    ['tokens', { tokens: 100 }, of(0, 40), of(0, 61)],
  ])(
    '[BUD2] refuses a reservation beyond a limit in %s and changes nothing',
    (_, limits, first, second) => {
      const store = new MemoryBudgetStore();
      store.reserve('a', first, limits);
      const totals = { spent: of(0, 0), reserved: first };
      expect(store.reserve('b', second, limits)).toEqual({ isGranted: false, totals });
      expect(store.totals()).toEqual(totals);
    },
  );

  it('[BUD1] grants a reservation that reaches both limits exactly, and returns the new books', () => {
    const store = new MemoryBudgetStore(of(10, 20));
    expect(store.reserve('a', of(90, 80), { nanoUsd: 100, tokens: 100 })).toEqual({
      isGranted: true,
      totals: { spent: of(10, 20), reserved: of(90, 80) },
    });
  });

  it('[BUD18] releases what is never settled', () => {
    let now = 0;
    const store = new MemoryBudgetStore(undefined, { reservationMs: 1000, now: () => now });
    store.reserve('a', { nanoUsd: 5, tokens: 5 }, {});
    now = 600;
    store.reserve('b', { nanoUsd: 7, tokens: 7 }, {});
    now = 1000;
    expect(store.totals().reserved).toEqual({ nanoUsd: 7, tokens: 7 });
    // The late answer of a call that was given up is booked all the same.
    expect(store.settle('a', { nanoUsd: 4, tokens: 4 }).spent).toEqual({ nanoUsd: 4, tokens: 4 });
    now = 1600;
    expect(store.totals().reserved).toEqual({ nanoUsd: 0, tokens: 0 });
  });

  it('[BUD14] replaces what is held under the same id', () => {
    const store = new MemoryBudgetStore();
    store.reserve('a', of(60, 60), { tokens: 100 });
    expect(store.reserve('a', of(70, 70), { tokens: 100 }).isGranted).toBe(true);
    expect(store.totals().reserved).toEqual(of(70, 70));
  });

  it('[BUD3] books and releases once, however often a call settles', () => {
    const store = new MemoryBudgetStore();
    store.reserve('a', of(30, 3), {});
    store.reserve('b', of(20, 2), {});
    store.settle('a', of(1, 1));
    expect(store.settle('a', of(1, 1))).toEqual({ spent: of(1, 1), reserved: of(20, 2) });
  });

  it('[BUD7] books an amount without an id and releases nothing', () => {
    const store = new MemoryBudgetStore();
    store.reserve('a', of(30, 3), {});
    expect(store.settle(undefined, of(5, 0))).toEqual({ spent: of(5, 0), reserved: of(30, 3) });
  });

  it('[SNP3] lets what was held at a later time expire all the same', () => {
    const reservationMs = 1000;
    const ahead = new MemoryBudgetStore(of(0, 0), { reservationMs, now: () => 1e12 });
    ahead.reserve('a', of(30, 3), {});
    let now = 5;
    const store = new MemoryBudgetStore(of(0, 0), { reservationMs, now: () => now });
    store.restore(ahead.snapshot());
    expect(store.totals().reserved).toEqual(of(30, 3));
    now += reservationMs;
    expect(store.totals().reserved).toEqual(of(0, 0));
  });

  it('[SNP3] restores what is spent and what is held, in place of its own', () => {
    const first = new MemoryBudgetStore(of(7, 1));
    first.reserve('a', of(30, 3), {});
    first.reserve('b', of(20, 2), {});
    const second = new MemoryBudgetStore();
    second.reserve('c', of(500, 500), {});
    second.restore(JSON.parse(JSON.stringify(first.snapshot())));
    expect(second.totals()).toEqual({ spent: of(7, 1), reserved: of(50, 5) });
    expect(second.settle('c', of(0, 0)).reserved).toEqual(of(50, 5));
    expect(second.settle('a', of(1, 1))).toEqual({ spent: of(8, 2), reserved: of(20, 2) });
  });

  const spent = { nanoUsd: 1, tokens: 1 };
  const recent: readonly JsonValue[] = [];
  const held = { ...spent, at: 0, purses: [] };
  const broken: readonly (readonly [field: string, snapshot: JsonValue])[] = [
    ['budget', null],
    ['budget.spent', { reservations: [] }],
    ['budget.spent', { spent: null, reservations: [] }],
    ['budget.spent', { spent: 5, reservations: [] }],
    ['budget.spent.nanoUsd', { spent: { nanoUsd: 0.5, tokens: 1 }, reservations: [] }],
    ['budget.spent.tokens', { spent: { nanoUsd: 1 }, reservations: [] }],
    ['budget.recent', { spent }],
    ['budget.recent[0].at', { spent, recent: [spent] }],
    ['budget.reservations', { spent, recent }],
    ['budget.reservations', { spent, recent, reservations: { length: 0 } }],
    ['budget.reservations[1]', { spent, recent, reservations: [['a', held], 'b'] }],
    ['budget.reservations[0][0]', { spent, recent, reservations: [[7, held]] }],
    [
      'budget.reservations[0][1].tokens',
      { spent, recent, reservations: [['a', { ...held, tokens: '1' }]] },
    ],
    [
      'budget.reservations[0][1].at',
      { spent, recent, reservations: [['a', { ...held, at: null }]] },
    ],
    [
      'budget.reservations[0][1].purses[0]',
      { spent, recent, reservations: [['a', { ...held, purses: [1] }]] },
    ],
    ['budget.purses', { spent, recent, reservations: [['a', held]] }],
  ];
  it.each(broken)('[SNP5] names %s when it is wrong and keeps its books: %j', (field, snapshot) => {
    const store = new MemoryBudgetStore(of(7, 1));
    store.reserve('a', of(30, 3), {});
    expect(() => store.restore(snapshot)).toThrow(
      expect.objectContaining({ name: InvalidSnapshotError.name, field }),
    );
    expect(store.totals()).toEqual({ spent: of(7, 1), reserved: of(30, 3) });
  });
});
