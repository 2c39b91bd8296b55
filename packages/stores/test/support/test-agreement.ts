import { Breaker, type BreakerOptions } from '@teamfuse/core';
import { expect, it } from 'vitest';
import type { ServerBudgetStore, ServerStoreOptions } from '../../src/server/index.ts';

type Budget = NonNullable<BreakerOptions['budget']>;

/** Tests that processes of a budget hear of options in which they differ. */
export function testAgreement(open: (options: ServerStoreOptions) => ServerBudgetStore): void {
  /** Begins a process, and gives what it is told. */
  const begin = async (options: ServerStoreOptions, budget?: Budget): Promise<unknown[]> => {
    const errors: unknown[] = [];
    const store = open({ ...options, onError: (error) => errors.push(error) });
    if (budget !== undefined) new Breaker({ judge: false, budget: { ...budget, store } });
    for (let times = 0; times < 3; times++) await store.totals();
    store.close();
    return errors;
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
