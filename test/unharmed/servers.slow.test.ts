import { describe, expect, it } from 'vitest';
import { SQLITE_NODE } from '../../packages/stores/test/support/sqlite-node.ts';
import { HAS_POSTGRES } from '../servers/postgres-server.ts';
import { HAS_REDIS } from '../servers/redis-server.ts';
import { played, unharmed } from './played.ts';

describe.skipIf(SQLITE_NODE === undefined)('the process of a user', () => {
  it.skipIf(!HAS_REDIS).concurrent(
    '[HOUSE17] is unharmed by a Redis that fails (needs redis-server)',
    async () => {
      expect(await played('redis')).toEqual(unharmed);
    },
  );

  it.skipIf(!HAS_POSTGRES).concurrent(
    '[HOUSE17] is unharmed by a PostgreSQL that fails (needs postgres)',
    async () => {
      expect(await played('postgres')).toEqual(unharmed);
    },
  );
});
