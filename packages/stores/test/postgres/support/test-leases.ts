import type { Pool } from 'pg';
import { expect, it } from 'vitest';
import { differenceOf } from '../../../../../test/servers/compare-servers.ts';
import { PostgresBudgetServer } from '../../../src/postgres/postgres-budget-server.ts';
import { readServerStoreOptions } from '../../../src/server/index.ts';

/** Tests that a server leases as one in memory does, whatever these seeds ask of it. */
export function testLeases(seeds: readonly number[], pool: () => Pool): void {
  it.each(seeds)('[PGS8] leases as the rules of stores say (seed %i)', async (seed) => {
    const options = readServerStoreOptions({ budget: `compared ${seed}` });
    const postgres = new PostgresBudgetServer(pool(), options);
    expect(await differenceOf(postgres, seed)).toBeUndefined();
  });
}
