import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from 'redis';
import { describe, expect, it } from 'vitest';
import { HAS_REDIS } from '../../../../test/servers/redis-server.ts';
import { SQLITE_NODE } from '../../../stores/test/support/sqlite-node.ts';
import { call } from '../support/gateway.ts';
import {
  begin,
  booksIn,
  failing,
  POLICY,
  redis,
  scene,
  setTheScene,
  spendTogether,
  stopOneEverywhere,
  USED,
} from '../support/shared-budget.ts';
import { testAddresses } from '../support/wrong-address.ts';

setTheScene();

describe.skipIf(!HAS_REDIS)('gateways with one Redis (needs redis-server)', () => {
  it('[GWC12] never spend more than the purse of a team, which the refusal names', async () => {
    const { url } = await redis();
    const pair = [await begin(['--store', url]), await begin([], { TEAMFUSE_STORE: url })] as const;
    expect(pair[0].out).toContain(`Budgets: ${url}`);
    await spendTogether(pair);
    expect(await booksIn(url, 'sales')).toBe(scene.served * USED);
  });

  it('[GWC13] keep the books of each team apart, and those of callers without one', async () => {
    const { url } = await redis();
    writeFileSync(join(scene.folder, 'teamfuse.toml'), `${POLICY}[gateway]\nstore = "${url}"\n`);
    const gateway = await begin([]);
    for (const path of ['/v1', '/v1', '/t/sales/v1', '/t/main/v1', '/t/main/v1', '/t/main/v1']) {
      const content = `Order ${scene.served} is late.`;
      expect((await call(gateway.url, path, [{ role: 'user', content }])).status).toBe(200);
    }
    expect(await gateway.end()).toBe(0);
    expect(await booksIn(url, 'main')).toBe(2 * USED);
    expect(await booksIn(url, 'sales')).toBe(USED);
    expect(await booksIn(url, 'team:main')).toBe(3 * USED);
  });

  it('[GWC15] refuse calls while it is away, say so once, and go on when it is back', async () => {
    const server = await redis();
    const gateway = await begin(['--store', server.url]);
    const ask = (content: string) =>
      call(gateway.url, '/t/sales/v1', [{ role: 'user', content }]).then(({ status }) => status);
    expect(await ask('One.')).toBe(200);
    await server.kill();
    expect(await ask('Two, about something else.')).toBe(402);
    expect(await ask('Three, on another matter.')).toBe(402);
    expect(scene.served).toBe(1);
    expect(gateway.err.match(/the books of 'sales' at \S+ do not answer/g)).toHaveLength(1);
    await server.restart();
    await expect.poll(() => ask(`Again, at ${Math.random()}.`), { timeout: 60_000 }).toBe(200);
    expect(await gateway.end()).toBe(0);
    expect(await booksIn(server.url, 'sales')).toBe(scene.served * USED);
  });

  it('[GWC21] spend no budget twice that the server has forgotten, and keep one salt', async () => {
    const { url } = await redis();
    const gateway = await begin(['--store', url]);
    const ask = (content: string) =>
      call(gateway.url, '/t/sales/v1', [{ role: 'user', content }]).then(({ status }) => status);
    expect(await ask('One.')).toBe(200);
    const client = await createClient({ url }).connect();
    const salt = await client.get('teamfuse:gateway-salt');
    await client.flushAll();
    expect(await ask('Two, about something else.')).toBe(200);
    expect(await ask('Three, on another matter.')).toBe(200);
    expect(await client.get('teamfuse:gateway-salt')).toBe(salt);
    client.destroy();
    expect(gateway.err.match(/the books of 'sales' at \S+ are lost/g)).toHaveLength(1);
    expect(await gateway.end()).toBe(0);
    expect(await booksIn(url, 'sales')).toBe(3 * USED);
  });

  it('[GWC16] stop a conversation that one of them stops, and leave the others alone', async () =>
    stopOneEverywhere((await redis()).url));
});

describe('gateways with one file', () => {
  it.skipIf(SQLITE_NODE === undefined)(
    '[GWC12] never spend more than the purse of a team (needs a Node with SQLite)',
    async () => {
      const policy = `${POLICY}[gateway]\nstore = "books.db"\n`;
      writeFileSync(join(scene.folder, 'teamfuse.toml'), policy);
      await spendTogether([await begin([], {}, SQLITE_NODE), await begin([], {}, SQLITE_NODE)]);
    },
  );

  it.skipIf(process.getBuiltinModule('node:sqlite') !== undefined)(
    '[GWC14] say which Node they need (needs a Node without SQLite)',
    async () => {
      expect(await failing(['--store', 'books.db'])).toContain('SQLite stores need Node 22.13');
    },
  );
});

testAddresses([
  ['redis://:hush@127.0.0.1:1', /redis:\/\/127\.0\.0\.1:1 cannot be used: connect ECONNREFUSED/],
  [':memory:', /or the path of a file/],
]);
