import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import type { BudgetLimits, Purse } from '@teamfuse/core/kit';
import { FakeClock } from '@teamfuse/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { HAS_DISKS, smallDisk } from '../../../../test/servers/full-disk.ts';
import {
  type LeaseRequest,
  readServerStoreOptions,
  ServerBudgetStore,
  type ServerStoreOptions,
} from '../../src/server/index.ts';
import { LossyServer } from '../support/lossy-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'teamfuse-lease-'));
afterAll(() => rmSync(folder, { recursive: true }));

const LIMITS = { tokens: 100_000 };
const NOTHING = { nanoUsd: 0, tokens: 0 };
const of = (tokens: number) => ({ nanoUsd: 0, tokens });

function setUp(options: ServerStoreOptions = {}) {
  const clock = new FakeClock(1_000_000);
  const server = new LossyServer(clock.now);
  const more = (own: ServerStoreOptions = {}): ServerBudgetStore => {
    const { now, timers } = clock;
    return new ServerBudgetStore(
      server,
      readServerStoreOptions({ lease: true, now, timers, ...options, ...own }),
    );
  };
  return { clock, server, more, store: more() };
}

/** Lets all that was started come to its end. */
async function rest(): Promise<void> {
  for (let i = 0; i < 20; i++) await turn();
}

let ids = 0;

/** Makes calls of ten tokens, one after the other, that take nine. */
async function make(
  store: ServerBudgetStore,
  calls: number,
  limits: BudgetLimits = LIMITS,
  purses: readonly Purse[] = [],
): Promise<number> {
  let granted = 0;
  for (let i = 0; i < calls; i++) {
    const id = `call ${ids++}`;
    if (!(await store.reserve(id, of(10), limits, purses)).isGranted) continue;
    granted++;
    await store.settle(
      id,
      of(9),
      purses.map(({ name }) => name),
    );
    await rest();
  }
  return granted;
}

/** A store whose process has stood still for so long, after some calls. */
async function standingStill(ms: number, calls = 20) {
  const { timers } = new FakeClock();
  const { clock, server, store, more } = setUp({ timers });
  await make(store, calls);
  clock.advance(ms);
  return { clock, server, store, more };
}

describe('leases', () => {
  it('[LEA3] let calls be admitted and settled for less than 0.05 round trips each', async () => {
    const { server, store } = setUp();
    await make(store, 30);
    const { asked } = server;
    expect(await make(store, 1_000)).toBe(1_000);
    expect(server.asked - asked).toBeLessThan(50);
    await store.flush();
    expect(server.books.totals()).toEqual({ spent: of(9 * 1_030), reserved: NOTHING });
  });

  it('[LEA4] admit nothing once their life may be over, until the server has renewed them', async () => {
    const { server, store } = await standingStill(56_000, 600);
    const { asked } = server;
    expect(await make(store, 1)).toBe(1);
    expect(server.asked - asked).toBe(1);
  });

  it('[LEA5] are over for a process that stood still too long, and what it spent is booked once', async () => {
    const { server, store, more } = await standingStill(60_000);
    const other = more();
    const left = LIMITS.tokens - 9 * 20;
    expect(await other.reserve('all', of(left), LIMITS)).toMatchObject({ isGranted: true });
    expect(await make(store, 2)).toBe(0);
    await store.flush();
    await store.flush();
    expect(server.books.totals()).toEqual({ spent: of(9 * 20), reserved: of(left) });
  });

  it('[LEA6] follow no request that is older than another one, but book what it has to book', async () => {
    const { server } = setUp();
    const ask = (number: number, tokens: number, more: Partial<LeaseRequest> = {}) =>
      server.lease({
        ...{ id: 'lease', number, isOver: false, limits: LIMITS, purses: [], bookings: [] },
        ...{ calls: NOTHING, kept: NOTHING, wanted: of(tokens), parts: 1 },
        ...more,
      });
    await ask(1, 100);
    await ask(3, 500);
    const bookings = [{ id: 'call', actual: of(30), purses: [], lease: 'lease' }];
    expect(await ask(2, 100, { bookings })).toMatchObject({ isHeld: true, idle: of(470) });
    expect(await ask(3, 500, { bookings })).toMatchObject({ isHeld: true, idle: of(470) });
    expect(server.books.totals()).toEqual({ spent: of(30), reserved: of(470) });
    await ask(4, 0, { isOver: true });
    for (const number of [1, 2, 5]) expect(await ask(number, 100)).toMatchObject({ isHeld: false });
    expect(server.books.totals()).toEqual({ spent: of(30), reserved: NOTHING });
  });

  it('[LEA7] are given back when they are not used, and when the store is flushed or closed', async () => {
    const { clock, server, store } = setUp();
    const held = () => server.books.totals().reserved.tokens;
    await make(store, 20);
    expect(held()).toBeGreaterThan(0);
    for (let i = 0; i < 3; i++) {
      clock.advance(20_000);
      await rest();
    }
    expect(server.books.totals()).toEqual({ spent: of(9 * 20), reserved: NOTHING });
    for (const end of [() => store.flush(), () => store.close()]) {
      await make(store, 30);
      expect(held()).toBeGreaterThan(0);
      await end();
      await rest();
      expect(held()).toBe(0);
    }
    expect(clock.waiting).toBe(0);
  });

  it.each(['down', 'answers-lost'] as const)(
    '[LEA7] are used again when the server did not confirm that they were given back (%s)',
    async (condition) => {
      const { clock, server, store } = setUp();
      await make(store, 30);
      server.condition = condition;
      await expect(store.flush()).rejects.toMatchObject({ code: 'UNREACHABLE_SERVER' });
      server.condition = 'up';
      clock.advance(250);
      await rest();
      await make(store, 30);
      const { asked } = server;
      await make(store, 100);
      expect(server.asked - asked).toBeLessThan(10);
      await store.flush();
      expect(server.books.totals()).toEqual({ spent: of(9 * 160), reserved: NOTHING });
    },
  );

  it('[LEA8] are a hundred at most', async () => {
    const { server, store } = setUp();
    const leases = new Set<string>();
    const { lease } = server;
    server.lease = (request) => {
      if (request.isOver) leases.delete(request.id);
      else leases.add(request.id);
      return lease.call(server, request);
    };
    for (let user = 0; user < 130; user++) {
      await make(store, 10, LIMITS, [{ name: `user ${user}` }]);
      expect(leases.size).toBeLessThanOrEqual(100);
    }
    expect(leases.size).toBeGreaterThan(90);
  });

  it('[LEA9] hold for the limits that they were asked under: others are kept at once', async () => {
    const { server, store } = setUp();
    await make(store, 30);
    expect(await make(store, 5, { tokens: 9 * 30 + 25 })).toBe(2);
    expect(await make(store, 5)).toBe(5);
    await store.flush();
    expect(server.books.totals().spent).toEqual(of(9 * 37));
  });

  it('[LEA10] keep the limits of purses', async () => {
    const { server, store, more } = setUp();
    const ann = { name: 'ann', tokens: 5_000 };
    const both = [store, more()];
    let granted = 0;
    for (let i = 0; i < 40; i++) for (const one of both) granted += await make(one, 10, {}, [ann]);
    for (const one of both) await one.flush();
    const { purses = [] } = server.books.totals(['ann']);
    expect(purses).toEqual([{ spent: of(9 * granted), reserved: NOTHING }]);
    expect(9 * granted).toBeGreaterThan(5_000 - 20);
    expect(9 * granted).toBeLessThanOrEqual(5_000);
  });

  it('[LEA11] leave a call to the server that exceeds them, and give way to it', async () => {
    const { server, store } = setUp();
    await make(store, 100);
    const left = LIMITS.tokens - 9 * 100;
    expect(await store.reserve('more', of(left + 1), LIMITS)).toMatchObject({ isGranted: false });
    expect(await store.reserve('all', of(left), LIMITS)).toMatchObject({ isGranted: true });
    expect(server.books.totals()).toEqual({ spent: of(9 * 100), reserved: of(left) });
  });

  it('[LEA11] shrink as the budget runs low, until calls are admitted one by one', async () => {
    const { server, store, more } = setUp();
    const other = more();
    const limits = { tokens: 10_000 };
    let made = 0;
    while ((await make(store, 1, limits)) > 0) made++;
    expect(9 * made).toBeGreaterThan(10_000 - 10);
    expect(await make(other, 1, limits)).toBe(0);
    await store.flush();
    expect(server.books.totals()).toEqual({ spent: of(9 * made), reserved: NOTHING });
  });

  it('[LEA12] are reserved in the books that others see, and not in those of their process', async () => {
    const { store, more } = setUp();
    await make(store, 30);
    const own = await store.totals();
    expect(own).toEqual({ spent: of(9 * 30), reserved: NOTHING });
    const seen = await more().totals();
    const sum = seen.spent.tokens + seen.reserved.tokens;
    expect(sum).toBeGreaterThan(9 * 30);
    await store.flush();
    expect(await more().totals()).toEqual(own);
  });

  it('[LEA13] admit while the server is away, for as long as they last', async () => {
    const { clock, server, store } = setUp();
    await make(store, 30);
    server.condition = 'down';
    expect(await make(store, 10)).toBe(10);
    expect(store.unsettled).toBeGreaterThanOrEqual(10);
    clock.advance(55_000);
    await rest();
    await expect(store.reserve('late', of(1), LIMITS)).rejects.toMatchObject({
      code: 'UNREACHABLE_SERVER',
    });
    server.condition = 'up';
    clock.advance(250);
    await rest();
    await store.flush();
    expect(server.books.totals()).toEqual({ spent: of(9 * 40), reserved: NOTHING });
  });

  it('[LEA14] keep settlements in the journal for the next process, which books them within their lease', async () => {
    const journalFile = join(folder, 'journal');
    const { server, store, more } = setUp({ journalFile });
    await make(store, 20);
    const { spent, reserved } = server.books.totals();
    expect(store.unsettled).toBeGreaterThan(0);
    // The first process is gone without a word.
    await more().totals();
    const after = server.books.totals();
    expect(after.spent).toEqual(of(9 * 20));
    expect(after.spent.tokens + after.reserved.tokens).toBe(spent.tokens + reserved.tokens);
    expect(readFileSync(journalFile, 'utf8')).toBe('');
  });

  it.skipIf(!HAS_DISKS)(
    '[SRV12] lose nothing while the disk of the journal is full (needs root on Linux)',
    async () => {
      const disk = smallDisk();
      const errors: unknown[] = [];
      const onError = (error: unknown): void => void errors.push(error);
      const { server, store } = setUp({ journalFile: join(disk.folder, 'journal'), onError });
      await make(store, 20);
      disk.fill();
      expect(await make(store, 200)).toBe(200);
      await store.flush();
      expect(server.books.totals()).toEqual({ spent: of(9 * 220), reserved: NOTHING });
      expect(errors).toMatchObject([{ code: 'UNWRITTEN_JOURNAL' }]);
      store.close();
      disk.remove();
    },
  );

  it('[LEA15] admit and settle a call again as the server would', async () => {
    const { server, store } = setUp();
    await make(store, 30);
    await store.reserve('again', of(10), LIMITS);
    await store.reserve('again', of(20), LIMITS);
    expect(await store.totals()).toMatchObject({ reserved: of(20) });
    await store.settle('again', of(15));
    await store.settle('again', of(16));
    expect(await store.reserve('again', of(1), LIMITS)).toMatchObject({ isGranted: false });
    await store.flush();
    expect(await store.reserve('again', of(1), LIMITS)).toMatchObject({ isGranted: false });
    expect(server.books.totals()).toEqual({ spent: of(9 * 30 + 15), reserved: NOTHING });
  });

  it('[LEA16] let go of a call that is never settled once it has had its time', async () => {
    const { clock, store } = setUp({ callMs: 100_000 });
    await make(store, 30);
    await store.reserve('lost', of(10), LIMITS);
    for (let i = 0; i < 4; i++) {
      clock.advance(20_000);
      await rest();
    }
    expect(await store.totals()).toMatchObject({ reserved: of(10) });
    for (let i = 0; i < 6; i++) {
      clock.advance(20_000);
      await rest();
    }
    expect(await store.totals()).toMatchObject({ reserved: NOTHING });
    await store.settle('lost', of(7));
    expect(await store.totals()).toMatchObject({ spent: of(9 * 30 + 7) });
  });

  it('[LEA17] are not taken for calls that come seldom', async () => {
    const { clock, server, store } = setUp();
    for (let i = 0; i < 30; i++) {
      await make(store, 1);
      clock.advance(8_000);
      await rest();
    }
    expect(server.books.totals()).toEqual({ spent: of(9 * 30), reserved: NOTHING });
    expect(server.asked).toBe(60);
  });
});
