import { setTimeout } from 'node:timers/promises';
import { Breaker, type BreakerOptions } from '@teamfuse/core';
import { expect, it } from 'vitest';
import { AGREE } from '../../src/redis/scripts.ts';
import type { ServerBudgetStore, ServerStoreOptions } from '../../src/server/index.ts';

type Budget = NonNullable<BreakerOptions['budget']>;

const PAUSE_MS = 60;

/** So many answers that say which options others have are lost on the way. */
export interface Losses {
  answers: number;
}

/** A client of a server on whose way answers are lost. */
export function losing<T extends object>(client: T, losses: Losses): T {
  const asks = (command: unknown): boolean =>
    [AGREE.sha, AGREE.lua].includes(String(command)) || /^WITH before/.test(String(command));
  return new Proxy(client, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return async (...args: unknown[]): Promise<unknown> => {
        const answer: unknown = await member.apply(target, args);
        if (!asks(args[0]) || losses.answers === 0) return answer;
        losses.answers--;
        throw new Error('connection reset');
      };
    },
  });
}

/** Tests that processes of a budget hear of options in which they differ. */
export function testAgreement(
  open: (options: ServerStoreOptions, losses: Losses) => ServerBudgetStore,
): void {
  /** Begins a process, and gives what it is told. */
  const begin = async (
    options: ServerStoreOptions,
    budget?: Budget,
    losses: Losses = { answers: 0 },
  ): Promise<unknown[]> => {
    const errors: unknown[] = [];
    const isLossy = losses.answers > 0;
    const store = open({ ...options, onError: (error) => errors.push(error) }, losses);
    if (budget !== undefined) new Breaker({ judge: false, budget: { ...budget, store } });
    // One that was left without an answer tries again in a while.
    for (let left = isLossy ? 20 : 3; left > 0; left--) {
      await store.totals().catch(() => {});
      await setTimeout(PAUSE_MS);
    }
    store.close();
    return errors.filter((error) => Object(error).code === 'DIFFERENT_OPTIONS');
  };
  const differing = (name: string, own: string, before: string) => ({
    code: 'DIFFERENT_OPTIONS',
    options: [{ name, own, before }],
  });

  it('[SRV13] tells a process whose store has other options than those before, once', async () => {
    const budget = 'common';
    expect(await begin({ budget })).toEqual([]);
    expect(await begin({ budget, lease: true })).toEqual([]);
    const told = await begin({ budget, windowMs: 60_000 });
    expect(told).toMatchObject([differing('windowMs', '60000', 'none')]);
    expect(String(told[0])).toContain("'common' with windowMs: 60000, and");
    expect(await begin({ budget, windowMs: 60_000 })).toEqual([]);
  });

  it.each([1, 2, 3, 5])(
    '[SRV13] tells it once all the same if %i answers are lost',
    async (answers) => {
      const budget = `lossy ${answers}`;
      const timing = { budget, attempts: 2 };
      expect(await begin(timing, undefined, { answers })).toEqual([]);
      const told = await begin({ ...timing, windowMs: 60_000 }, undefined, { answers });
      expect(told).toMatchObject([differing('windowMs', '60000', 'none')]);
      expect(await begin({ budget, windowMs: 60_000 })).toEqual([]);
    },
  );

  it('[SRV13] tells a process whose days and months are not those of the processes before', async () => {
    const own = { budget: 'days' };
    const perDay = { maxTokens: 100 };
    const timeZone = 'Europe/Berlin';
    expect(await begin(own, { perDay, timeZone })).toEqual([]);
    expect(await begin(own, { perDay: { maxTokens: 200 }, timeZone, maxUsd: 3 })).toEqual([]);
    expect(await begin(own)).toEqual([]);
    expect(await begin(own, { perDay })).toMatchObject([
      differing('timeZone', 'UTC', 'Europe/Berlin'),
    ]);
    expect(await begin(own, { perUser: { perDay } })).toMatchObject([
      differing('perDay', 'none', 'set'),
    ]);
  });
}
