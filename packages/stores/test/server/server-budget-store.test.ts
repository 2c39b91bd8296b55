import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { FakeClock } from '@teamfuse/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { HAS_DISKS, smallDisk } from '../../../../test/servers/full-disk.ts';
import {
  readServerStoreOptions,
  ServerBudgetStore,
  type ServerStoreOptions,
} from '../../src/server/index.ts';
import { LossyServer } from '../support/lossy-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'teamfuse-journal-'));
afterAll(() => rmSync(folder, { recursive: true }));

const limits = { tokens: 100 };
const of = (tokens: number) => ({ nanoUsd: 0, tokens });

function setUp(options: ServerStoreOptions = {}) {
  const clock = new FakeClock(1_000_000);
  const server = new LossyServer(clock.now);
  const more = (): ServerBudgetStore =>
    new ServerBudgetStore(
      server,
      readServerStoreOptions({ timers: clock.timers, attempts: 3, ...options }),
    );
  return { clock, server, store: more(), more };
}

/** Lets time pass, and all that it starts. */
async function pass(clock: FakeClock, ms: number): Promise<void> {
  clock.advance(ms);
  for (let i = 0; i < 20; i++) await turn();
}

describe('a store whose books a server keeps', () => {
  it('[SRV1] sends a question again whose answer was lost, which is held and booked once', async () => {
    const { server, store } = setUp();
    Object.assign(server, { condition: 'answers-lost', failures: 2 });
    expect(await store.reserve('a', of(7), limits)).toMatchObject({ isGranted: true });
    server.failures = 2;
    await store.settle('a', of(5));
    server.failures = 2;
    await store.settle(undefined, of(3));
    expect(server.books.totals()).toMatchObject({ spent: of(8), reserved: of(0) });
  });

  it('[SRV2] books what the server did not confirm once it is back, once', async () => {
    const { clock, server, store } = setUp();
    await store.reserve('a', of(7), limits);
    server.condition = 'answers-lost';
    await store.settle('a', of(5));
    server.condition = 'down';
    await store.settle(undefined, of(3), ['purse']);
    expect(store.unsettled).toBe(2);
    server.condition = 'up';
    await pass(clock, 250);
    expect(store.unsettled).toBe(0);
    expect(server.books.totals(['purse'])).toMatchObject({
      spent: of(8),
      reserved: of(0),
      purses: [{ spent: of(3) }],
    });
  });

  it.each(['answers-lost', 'down'] as const)(
    '[SRV3] releases what a call that was refused may hold (%s)',
    async (condition) => {
      const { clock, server, store } = setUp();
      server.condition = condition;
      await expect(store.reserve('a', of(7), limits)).rejects.toMatchObject({
        code: 'UNREACHABLE_SERVER',
      });
      server.condition = 'up';
      await pass(clock, 250);
      // The reservation itself comes only now.
      const late = await server.reserve('a', of(7), limits, []);
      expect(late.isGranted).toBe(false);
      expect(server.books.totals()).toMatchObject({ spent: of(0), reserved: of(0) });
    },
  );

  it('[SRV4] waits for an answer no longer than attempts and timeoutMs', async () => {
    const { clock, server, store } = setUp({ timeoutMs: 300 });
    server.condition = 'silent';
    const asked = expect(store.reserve('a', of(7), limits)).rejects.toThrow(
      'the server cannot be asked: no answer within 300 ms',
    );
    for (let i = 0; i < 3; i++) await pass(clock, 300);
    await asked;
    expect(server.asked).toBe(3);
  });

  it('[SRV5] sends next to nothing while the server is lost, and goes on once it is back', async () => {
    const { clock, server, store } = setUp();
    server.condition = 'down';
    await store.totals().catch(() => {});
    const { asked } = server;
    for (let i = 0; i < 100; i++) await store.reserve(`${i}`, of(7), limits).catch(() => {});
    expect(server.asked).toBe(asked);
    await pass(clock, 250);
    expect(server.asked).toBe(asked + 1);
    server.condition = 'up';
    await pass(clock, 250);
    expect(await store.reserve('a', of(7), limits)).toMatchObject({ isGranted: true });
  });

  it('[SRV6] admits calls up to its share while the server is lost, and reserves them when it is back', async () => {
    const { clock, server, store } = setUp({ failMode: 'local', localShare: 0.5 });
    await store.settle(undefined, of(60));
    server.condition = 'down';
    const admitted: boolean[] = [];
    for (const id of ['a', 'b', 'c']) {
      admitted.push((await store.reserve(id, of(10), limits)).isGranted);
    }
    expect(admitted).toEqual([true, true, false]);
    await store.settle('a', of(9));
    server.condition = 'up';
    await pass(clock, 250);
    expect(server.books.totals()).toMatchObject({ spent: of(69), reserved: of(10) });
    await store.settle('b', of(1));
    expect(server.books.totals()).toMatchObject({ spent: of(70), reserved: of(0) });
  });

  it('[SRV6] admits nothing by itself where it knows nothing of the books', async () => {
    const { server, store } = setUp({ failMode: 'local', localShare: 1 });
    server.condition = 'down';
    expect(await store.reserve('a', of(1), limits)).toMatchObject({ isGranted: false });
    expect(await store.reserve('b', of(1), {})).toMatchObject({ isGranted: true });
  });

  it('[SRV7] admits every call while the server is lost if told so, and books it later', async () => {
    const { clock, server, store } = setUp({ failMode: 'open' });
    server.condition = 'down';
    expect(await store.reserve('a', of(1000), limits)).toMatchObject({ isGranted: true });
    await store.settle('a', of(900));
    expect(await store.totals()).toMatchObject({ spent: of(900) });
    server.condition = 'up';
    await pass(clock, 250);
    expect(server.books.totals()).toMatchObject({ spent: of(900), reserved: of(0) });
  });

  it('[SRV8] keeps its reservations alive, by one timer while there are any', async () => {
    const { clock, server, store } = setUp({ callMs: 600_000 });
    await store.reserve('a', of(7), limits);
    await store.reserve('b', of(5), limits);
    for (let i = 0; i < 20; i++) await pass(clock, 15_000);
    expect(server.books.totals().reserved).toEqual(of(12));
    expect(clock.waiting).toBe(1);
    await store.settle('a', of(7));
    for (let i = 0; i < 30; i++) await pass(clock, 15_000);
    expect(server.books.totals().reserved).toEqual(of(0));
    expect(clock.waiting).toBe(0);
  });

  it('[SRV9] keeps settlements in a file for the next process, which its owner alone can read', async () => {
    const journalFile = join(folder, 'state', 'journal');
    const { clock, server, store, more } = setUp({ journalFile });
    await store.reserve('a', of(7), limits);
    server.condition = 'answers-lost';
    await store.settle('a', of(5));
    await store.settle(undefined, of(2), ['purse']);
    writeFileSync(journalFile, '{"booking":{"id":"cut', { flag: 'a' });
    expect(statSync(journalFile).mode & 0o777).toBe(0o600);
    server.condition = 'up';
    const next = more();
    expect(next.unsettled).toBe(2);
    await next.flush();
    expect(server.books.totals()).toMatchObject({ spent: of(7), reserved: of(0) });
    expect(readFileSync(journalFile, 'utf8')).toBe('');
    await pass(clock, 250);
    expect(server.books.totals()).toMatchObject({ spent: of(7), reserved: of(0) });
  });

  it('[SRV14] is flushed once the server has booked what was settled before', async () => {
    const { server, store } = setUp();
    const book = server.settle.bind(server);
    let arrive = (): void => {};
    server.settle = (booking) =>
      new Promise((resolve) => {
        arrive = () => resolve(book(booking));
      });
    const order: string[] = [];
    const settled = store.settle('a', of(5)).then(() => order.push('settled'));
    const flushed = store.flush().then(() => order.push('flushed'));
    await turn();
    arrive();
    await Promise.all([settled, flushed]);
    expect(order).toEqual(['settled', 'flushed']);
  });

  it.skipIf(!HAS_DISKS)(
    '[SRV12] goes on while the disk of its journal is full, and books all that was served (needs root on Linux)',
    async () => {
      const disk = smallDisk();
      const errors: unknown[] = [];
      const journalFile = join(disk.folder, 'journal');
      const onError = (error: unknown): void => void errors.push(error);
      const { clock, server, store, more } = setUp({ journalFile, failMode: 'open', onError });
      server.condition = 'down';
      const call = async (id: string): Promise<void> => {
        await store.reserve(id, of(1), { tokens: 1_000 });
        await store.settle(id, of(1));
      };
      await call('kept');
      disk.fill();
      for (let i = 0; i < 50; i++) await call(`${i}`);
      expect(store.unsettled).toBe(51);
      expect(errors).toMatchObject([
        { code: 'UNREACHABLE_SERVER' },
        { code: 'UNWRITTEN_JOURNAL', file: journalFile },
      ]);
      expect(readdirSync(disk.folder).sort()).toEqual(['filler', 'journal']);
      disk.free();
      await call('after');
      expect(more().unsettled).toBe(52);
      disk.fill();
      server.condition = 'up';
      await pass(clock, 250);
      expect(store.unsettled).toBe(0);
      expect(server.books.totals()).toMatchObject({ spent: of(52), reserved: of(0) });
      await call('later');
      expect(server.books.totals()).toMatchObject({ spent: of(53), reserved: of(0) });
      store.close();
      disk.remove();
    },
  );

  it('[SRV10] tells once that the server is lost', async () => {
    const errors: unknown[] = [];
    const { server, store } = setUp({ onError: (error) => errors.push(error), failMode: 'open' });
    server.condition = 'down';
    for (const id of ['a', 'b']) await store.reserve(id, of(7), limits);
    expect(errors).toMatchObject([{ code: 'UNREACHABLE_SERVER' }]);
  });

  it.each([
    [{ failMode: 'half' }, 'failMode'],
    [{ excess: 'free' }, 'excess'],
    [{ localShare: 2 }, 'localShare'],
    [{ timeoutMs: 0 }, 'timeoutMs'],
    [{ reservationMs: 1 }, 'reservationMs'],
    [{ settledMs: 10 }, 'settledMs'],
    [{ lease: 'yes' }, 'lease'],
    [{ timeout: 5 }, 'timeout'],
  ])('[SRV11] refuses %j', (options, option) => {
    expect(() => readServerStoreOptions(options as never)).toThrow(
      expect.objectContaining({ code: 'INVALID_OPTION', option }),
    );
  });

  it.each([0.5, -1, Number.NaN, 2 ** 53])('[SRV11] refuses an amount of %j', async (tokens) => {
    const { server, store } = setUp();
    const wrong = { code: 'INVALID_OPTION' };
    await expect(store.reserve('a', of(tokens), limits)).rejects.toMatchObject(wrong);
    await expect(store.settle('a', of(tokens))).rejects.toMatchObject(wrong);
    expect(server.asked).toBe(0);
  });
});
