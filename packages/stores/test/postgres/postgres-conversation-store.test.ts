import { Breaker, type Conversation, InvalidOptionError } from '@teamfuse/core';
import { conversationStoreContract } from '@teamfuse/testing';
import { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  HAS_POSTGRES,
  type PostgresServer,
  startPostgres,
} from '../../../../test/servers/postgres-server.ts';
import { runInConversation } from '../../src/fleet/index.ts';
import {
  migrate,
  type PostgresClient,
  PostgresConversationStore,
} from '../../src/postgres/index.ts';
import { endPool } from './support/end-pool.ts';

describe.skipIf(!HAS_POSTGRES)('PostgresConversationStore (needs postgresql)', () => {
  let server: PostgresServer;
  let pool: Pool;
  let made = 0;

  beforeAll(async () => {
    server = await startPostgres();
    pool = new Pool({ connectionString: server.url, max: 4 });
    await migrate(pool);
  });

  afterAll(async () => {
    await endPool(pool);
    await server.stop();
  });

  const checks = conversationStoreContract(
    () => new PostgresConversationStore(pool, { fleet: `contract ${++made}` }),
  );
  for (const { id, title, check } of checks) it(`[${id}] ${title}`, check);

  it('[PGM1] lets a conversation go on in another process where it was left', async () => {
    const say = (text: string) => (chat: Conversation) =>
      chat.observe({ kind: 'message', agent: 'ann', text })?.kind;
    const kinds: unknown[] = [];
    for (const text of ['One.', 'Two.', 'Three.']) {
      const store = new PostgresConversationStore(pool);
      const breaker = new Breaker({ maxMessages: 3 });
      kinds.push(await runInConversation(breaker, { store, id: 'chat 7' }, say(text)));
      store.close();
    }
    expect(kinds).toEqual([undefined, undefined, 'limit']);
  });

  it('[PGM2] keeps what was saved for keptMs, and then removes it', async () => {
    const store = new PostgresConversationStore(pool, { fleet: 'kept', keptMs: 60_000 });
    const version = await store.save('chat 8', 'old', undefined);
    const old =
      "UPDATE teamfuse.conversation SET ends = ends - $1 * interval '1 ms' WHERE fleet = 'kept'";
    await pool.query(old, [50_000]);
    expect(await store.load('chat 8')).toEqual({ version, snapshot: 'old' });
    await pool.query(old, [10_000]);
    expect(await store.load('chat 8')).toBeUndefined();
    expect(await store.save('chat 8', 'late', version)).toBeUndefined();
    await store.save('chat 9', 'new', undefined);
    const left = "SELECT state FROM teamfuse.conversation WHERE fleet = 'kept'";
    expect((await pool.query(left)).rows).toEqual([{ state: '"new"' }]);
    expect(await store.save('chat 8', 'again', undefined)).toBeDefined();
    store.close();
  });

  it('[PGM3] counts a state as saved whose first answer was lost', async () => {
    let lost = 0;
    const lossy: PostgresClient = {
      query: async (text, values) => {
        const answer = await pool.query(text, values);
        if (lost++ === 0) throw new Error('the connection broke');
        return answer;
      },
    };
    const store = new PostgresConversationStore(lossy, { fleet: 'lossy' });
    const version = await store.save('chat 9', 'kept', undefined);
    expect(lost).toBe(2);
    expect(await store.load('chat 9')).toEqual({ version, snapshot: 'kept' });
    store.close();
  });

  it('[PGM4] saves one of those that are saved at once', async () => {
    const stores = Array.from({ length: 4 }, () => new PostgresConversationStore(pool));
    const save = (version: string | undefined) =>
      Promise.all(stores.map((store, at) => store.save('chat 10', at, version)));
    const first = (await save(undefined)).filter(Boolean);
    expect(first).toHaveLength(1);
    expect((await save(first[0])).filter(Boolean)).toHaveLength(1);
    for (const store of stores) store.close();
  });
});

describe('PostgresConversationStore', () => {
  it('[PGM5] is refused by name with a wrong client or option', () => {
    const pool = new Pool();
    expect(() => new PostgresConversationStore({} as never)).toThrow(InvalidOptionError);
    expect(() => new PostgresConversationStore(pool, { keptMs: 0 })).toThrow("'keptMs'");
    expect(() => new PostgresConversationStore(pool, { kept: 0 } as never)).toThrow("'kept'");
  });
});
