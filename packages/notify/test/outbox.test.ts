import { Breaker } from '@teamfuse/core';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { NotifyError, notifyTrips } from '../src/index.ts';
import { Hook, silence, status } from './support/hook.ts';
import { notified, settled, until } from './support/notified.ts';

afterEach(() => void vi.restoreAllMocks());

const stopAll = (breaker: Breaker, ids: readonly string[]): void => {
  for (const id of ids) breaker.conversation(id).stop('enough');
};

describe('messages that wait', () => {
  it('[NTF8] are sent in order, and the first one again before the next one', async () => {
    await using hook = await Hook.open([status(500)]);
    const all = notified({ url: hook.url });
    stopAll(all.breaker, ['a', 'b', 'c']);
    expect(all.notifier.pending).toBe(3);
    await all.endPause();
    await settled(all);
    expect(hook.bodies.map(({ data }) => data.conversation)).toEqual(['a', 'a', 'b', 'c']);
  });

  it('[NTF8] are at most maxPending: beyond that, the oldest is given up', async () => {
    await using hook = await Hook.open([status(500)]);
    const all = notified({ url: hook.url, maxPending: 2 });
    stopAll(all.breaker, ['a', 'b', 'c', 'd', 'e']);
    expect(all.notifier.pending).toBe(3);
    await all.endPause();
    await settled(all);
    expect(hook.bodies.map(({ data }) => data.conversation)).toEqual(['a', 'a', 'd', 'e']);
    expect(all.errors.map(({ code, trip }) => [code, trip.conversation])).toEqual([
      ['DROPPED', 'b'],
      ['DROPPED', 'c'],
    ]);
    expect(all.errors[0]?.message).toBe('a trip was not told: more than 2 were waiting');
    expect(all.notifier.lost).toBe(2);
  });

  it('[NTF8] begin again after a rest', async () => {
    await using hook = await Hook.open();
    const all = notified({ url: hook.url });
    stopAll(all.breaker, ['a']);
    await settled(all);
    stopAll(all.breaker, ['b']);
    await settled(all);
    expect(hook.bodies.map(({ data }) => data.conversation)).toEqual(['a', 'b']);
  });
});

describe('a message that is given up', () => {
  it('[NTF9] is an error of the breaker without onError', async () => {
    await using hook = await Hook.open([status(404)]);
    const breaker = new Breaker({ judge: false });
    const told: unknown[] = [];
    breaker.on('error', (error) => told.push(error));
    const notifier = notifyTrips(breaker, { url: hook.url });
    const trip = breaker.conversation('chat 1').stop('enough');
    await until(() => told.length > 0);
    expect(told).toMatchObject([
      { during: 'trip', conversation: 'chat 1', error: { code: 'REFUSED', status: 404, trip } },
    ]);
    expect(notifier.lost).toBe(1);
  });

  it.each([
    ['throws', () => fails()],
    ['rejects', async () => fails()],
  ])('[NTF9] is an error of the breaker if onError %s', async (_, onError) => {
    await using hook = await Hook.open([status(404)]);
    const all = notified({ url: hook.url, onError });
    const told: unknown[] = [];
    all.breaker.on('error', ({ error }) => told.push(error));
    all.breaker.stop('enough');
    await until(() => told.length > 0);
    expect(told).toEqual([new Error('no log')]);
  });

  it('[NTF9] does not end those behind it', async () => {
    await using hook = await Hook.open([status(404)]);
    const all = notified({ url: hook.url });
    stopAll(all.breaker, ['a', 'b']);
    await settled(all);
    expect(hook.bodies.map(({ data }) => data.conversation)).toEqual(['a', 'b']);
    expect(all.errors).toHaveLength(1);
    expect(all.errors[0]).toBeInstanceOf(NotifyError);
  });
});

describe('flush', () => {
  it('[NTF11] ends at once if nothing waits', async () => {
    const all = notified({ url: 'https://hooks.example' });
    await all.notifier.flush();
    expect(all.timers).toEqual([]);
  });

  it('[NTF11] ends when all that waits is told', async () => {
    await using hook = await Hook.open();
    const all = notified({ url: hook.url });
    stopAll(all.breaker, ['a', 'b']);
    await all.notifier.flush();
    expect([hook.received.length, all.notifier.pending, all.clock.waiting]).toEqual([2, 0, 0]);
  });

  it('[NTF11] ends after withinMs with a server that never answers', async () => {
    await using hook = await Hook.open([silence]);
    const all = notified({ url: hook.url });
    all.breaker.stop('enough');
    const flushed = all.notifier.flush({ withinMs: 100 });
    await until(() => hook.received.length === 1);
    all.clock.advance(100);
    await flushed;
    expect(all.notifier.pending).toBe(1);
  });

  it('[NTF11] keeps the process alive while it is awaited, and no other timer does', async () => {
    await using hook = await Hook.open([status(500)]);
    const breaker = new Breaker({ judge: false });
    const timers = vi.spyOn(globalThis, 'setTimeout');
    const keeping = vi.spyOn(globalThis, 'setInterval');
    const letting = vi.spyOn(globalThis, 'clearInterval');
    const notifier = notifyTrips(breaker, { url: hook.url, random: () => 0 });
    breaker.stop('enough');
    const flushed = notifier.flush();
    const [awake] = keeping.mock.results.map(({ value }) => value as NodeJS.Timeout);
    expect(awake?.hasRef()).toBe(true);
    await flushed;
    expect(letting).toHaveBeenCalledWith(awake);
    expect(hook.received).toHaveLength(2);
    const own = timers.mock.calls.flatMap(([, ms], n) => {
      const { value } = timers.mock.results[n] ?? {};
      return [10_000, 500, 30_000].includes(ms ?? 0) ? [value as NodeJS.Timeout] : [];
    });
    expect(own.length).toBeGreaterThanOrEqual(4);
    expect(own.filter((timer) => timer.hasRef())).toEqual([]);
  });

  it('[NTF14] refuses other options', async () => {
    const { notifier } = notified({ url: 'https://hooks.example' });
    await expect(notifier.flush({ withinMs: -1 })).rejects.toThrow(/'withinMs'/);
    await expect(notifier.flush({ within: 1 } as never)).rejects.toThrow(/'withinMs'\?/);
  });
});

function fails(): never {
  throw new Error('no log');
}
