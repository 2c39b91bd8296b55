import { Breaker, type Conversation, InvalidOptionError } from '@teamfuse/core';
import { conversationStoreContract } from '@teamfuse/testing';
import { createClient } from 'redis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HAS_REDIS, type RedisServer, startRedis } from '../../../../test/servers/redis-server.ts';
import { runInConversation } from '../../src/fleet/index.ts';
import { type NodeRedisClient, RedisConversationStore } from '../../src/redis/index.ts';
import { CLIENTS, type Connected } from './support/clients.ts';

describe.skipIf(!HAS_REDIS).each(Object.entries(CLIENTS))(
  'RedisConversationStore with %s (needs redis-server)',
  (name, connect) => {
    let server: RedisServer;
    let connected: Connected;
    let made = 0;

    beforeAll(async () => {
      server = await startRedis();
      connected = await connect(server.port);
    });

    afterAll(async () => {
      connected.close();
      await server.stop();
    });

    for (const { id, title, check } of conversationStoreContract(
      () => new RedisConversationStore(connected.client, { prefix: `${name} ${++made}` }),
    )) {
      it(`[${id}] ${title}`, check);
    }
  },
);

describe.skipIf(!HAS_REDIS)('a conversation that moves (needs redis-server)', () => {
  let server: RedisServer;
  const ends: (() => unknown)[] = [];

  beforeAll(async () => {
    server = await startRedis();
  });

  afterAll(async () => {
    for (const end of ends) end();
    await server.stop();
  });

  const begin = async (options = {}) => {
    const { client, close } = await (CLIENTS['redis 6'] as (typeof CLIENTS)[string])(server.port);
    const store = new RedisConversationStore(client, options);
    ends.push(() => store.close(), close);
    return { client, store };
  };

  it('[RDM1] goes on in another process where it was left', async () => {
    const say = (text: string) => (chat: Conversation) =>
      chat.observe({ kind: 'message', agent: 'ann', text })?.kind;
    const kinds: unknown[] = [];
    for (const text of ['One.', 'Two.', 'Three.']) {
      const { store } = await begin();
      const breaker = new Breaker({ maxMessages: 3 });
      kinds.push(await runInConversation(breaker, { store, id: 'chat 7' }, say(text)));
    }
    expect(kinds).toEqual([undefined, undefined, 'limit']);
  });

  it('[RDM2] keeps what was saved for keptMs', async () => {
    const { store } = await begin({ keptMs: 60_000 });
    await store.save('chat 8', {}, undefined);
    const admin = await createClient({ url: server.url }).connect();
    const left = await admin.pTTL('teamfuse:conversation:chat 8');
    admin.destroy();
    expect(left).toBeGreaterThan(50_000);
    expect(left).toBeLessThanOrEqual(60_000);
  });

  it('[RDM3] counts a state as saved whose first answer was lost', async () => {
    const { client } = (await begin()) as { readonly client: NodeRedisClient };
    let lost = 0;
    const lossy: NodeRedisClient = {
      evalSha: async (sha, asked) => {
        const answer = await client.evalSha(sha, asked);
        if (lost++ === 0) throw new Error('the connection broke');
        return answer;
      },
      eval: (script, asked) => client.eval(script, asked),
    };
    const load = new RedisConversationStore(client);
    await load.save('warm', 0, undefined);
    const store = new RedisConversationStore(lossy);
    const version = await store.save('chat 9', 'kept', undefined);
    expect(lost).toBe(2);
    expect(await store.load('chat 9')).toEqual({ version, snapshot: 'kept' });
    for (const one of [load, store]) one.close();
  });

  it('[RDM4] is refused by name with a wrong client or option', () => {
    expect(() => new RedisConversationStore({} as never)).toThrow(InvalidOptionError);
    const client = { evalSha: async () => [], eval: async () => [] };
    expect(() => new RedisConversationStore(client, { keptMs: 0 })).toThrow("'keptMs'");
    expect(() => new RedisConversationStore(client, { kept: 0 } as never)).toThrow("'kept'");
  });
});
