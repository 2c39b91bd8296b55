import { migrate, PostgresBudgetStore } from '@teamfuse/stores/postgres';
import { describe, expect, it } from 'vitest';
import { HAS_POSTGRES } from '../../../../test/servers/postgres-server.ts';
import { HAS_REDIS } from '../../../../test/servers/redis-server.ts';
import { call } from '../support/gateway.ts';
import {
  begin,
  booksIn,
  failing,
  postgres,
  redis,
  scene,
  setTheScene,
  spendTogether,
  stopAllEverywhere,
  stopOneEverywhere,
  USED,
} from '../support/shared-budget.ts';
import { testAddresses } from '../support/wrong-address.ts';

setTheScene();

describe.skipIf(!HAS_POSTGRES)('gateways with one PostgreSQL (needs postgresql)', () => {
  it('[GWC12] never spend more than the purse of a team, which the refusal names', async () => {
    const { url, pool } = await postgres();
    expect(await failing(['--store', url])).toContain('run migrate() of @teamfuse/stores/postgres');
    await migrate(pool);
    await spendTogether([await begin(['--store', url]), await begin(['--store', url])]);
    const store = new PostgresBudgetStore(pool, { budget: 'sales' });
    expect((await store.totals()).spent.tokens).toBe(scene.served * USED);
    store.close();
  });

  it('[GWC16] stop a conversation that one of them stops, and leave the others alone', async () => {
    const { url, pool } = await postgres();
    await migrate(pool);
    await stopOneEverywhere(url);
  });

  it('[GWC16] stop all when the page of one of them does, also one that starts later', async () => {
    const { url, pool } = await postgres();
    await migrate(pool);
    await stopAllEverywhere(url);
  });
});

describe.skipIf(!HAS_REDIS)('gateways with one Redis (needs redis-server)', () => {
  it('[GWC15] book the last call before they end, also one that ends after Ctrl-C', async () => {
    const { url } = await redis();
    let release = (): void => {};
    scene.answering = () =>
      new Promise((resolve) => {
        release = resolve;
      });
    const gateway = await begin(['--store', url]);
    const called = call(gateway.url, '/v1', [{ role: 'user', content: 'Go.' }]);
    await expect.poll(() => scene.served).toBe(1);
    const ended = gateway.end();
    release();
    expect((await called).status).toBe(200);
    expect(await ended).toBe(0);
    expect(await booksIn(url, 'main')).toBe(USED);
  });

  it('[GWC15] let calls pass while it is away, where they are told to', async () => {
    const server = await redis();
    const gateway = await begin(['--store', server.url, '--fail-mode', 'open']);
    await server.kill();
    const messages = [{ role: 'user', content: 'Go.' }];
    expect((await call(gateway.url, '/t/sales/v1', messages)).status).toBe(200);
    expect(gateway.err).toMatch(/^a request could not be guarded: budget store: reserve failed: /m);
    expect(await gateway.end()).toBe(0);
  });

  it('[GWC16] stop all when the page of one of them does, also one that starts later', async () =>
    stopAllEverywhere((await redis()).url));

  it('[GWC14] need the password, and show it nowhere', async () => {
    const { port } = await redis('--requirepass', 'hush-1');
    const place = `127.0.0.1:${port}`;
    const gateway = await begin([], { TEAMFUSE_STORE: `redis://:hush-1@${place}/2` });
    expect(gateway.out).toContain(`Budgets: redis://${place}/2`);
    await call(gateway.url, '/v1', [{ role: 'user', content: 'Go.' }]);
    expect(gateway.out + gateway.err).not.toContain('hush');
    for (const given of ['', ':hush-2@']) {
      const told = await failing(['--store', `redis://${given}${place}`]);
      expect(told).toMatch(
        /^teamfuse: option '--store': redis:\S+ cannot be used: (NOAUTH|WRONGPASS)/,
      );
      expect(told).toContain(place);
      expect(told).not.toContain('hush');
    }
  });
});

testAddresses([
  ['postgres://ann:hush@127.0.0.1:1/db', /postgres:\S+:1\/db cannot be used: connect ECONNREF/],
  ['mysql://ann:hush@127.0.0.1', /expected redis:\/\/…, rediss:\/\/…, postgres:\/\/…/],
  ['redis://ann:hush@127.0.0.1:x', /the address cannot be read/],
  ['redis:hush', /expected redis:\/\/…/],
]);
