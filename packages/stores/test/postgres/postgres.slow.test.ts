import { Pool } from 'pg';
import { afterAll, beforeAll, describe, it } from 'vitest';
import {
  HAS_POSTGRES,
  type PostgresServer,
  startPostgres,
} from '../../../../test/servers/postgres-server.ts';
import { migrate } from '../../src/postgres/index.ts';
import { decideAlike } from './support/decide-alike.ts';
import { endPool } from './support/end-pool.ts';
import { testLeases } from './support/test-leases.ts';

describe.skipIf(!HAS_POSTGRES)('PostgreSQL (needs postgresql)', () => {
  let server: PostgresServer;
  let pool: Pool;

  beforeAll(async () => {
    server = await startPostgres();
    pool = new Pool({ connectionString: server.url, max: 8 });
    await migrate(pool);
  });

  afterAll(async () => {
    await endPool(pool);
    await server.stop();
  });

  it('[PGC7] decides on circuits as core does, whatever happens to them', () =>
    decideAlike(pool, 100));

  testLeases([2, 3], () => pool);
});
