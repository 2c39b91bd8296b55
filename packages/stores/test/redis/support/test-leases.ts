import { expect, it } from 'vitest';
import { differenceOf } from '../../../../../test/servers/compare-servers.ts';
import type { RedisClient } from '../../../src/redis/index.ts';
import { RedisBudgetServer } from '../../../src/redis/redis-budget-server.ts';
import { scriptsOf } from '../../../src/redis/redis-client.ts';
import { readServerStoreOptions } from '../../../src/server/index.ts';

/** Tests that a server leases as one in memory does, whatever these seeds ask of it. */
export function testLeases(seeds: readonly number[], client: () => RedisClient): void {
  it.each(seeds)('[RDS13] leases as the rules of stores say (seed %i)', async (seed) => {
    const options = readServerStoreOptions({ budget: `compared ${seed}` });
    const run = scriptsOf(client());
    const redis = new RedisBudgetServer(run, 'teamfuse', options);
    expect(await differenceOf(redis, seed)).toBeUndefined();
  });
}
