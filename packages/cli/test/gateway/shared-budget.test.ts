import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate, PostgresBudgetStore } from '@teamfuse/store-postgres';
import { RedisBudgetStore } from '@teamfuse/store-redis';
import pg from 'pg';
import { createClient } from 'redis';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HAS_POSTGRES, startPostgres } from '../../../../test/servers/postgres-server.ts';
import { HAS_REDIS, startRedis } from '../../../../test/servers/redis-server.ts';
import { SQLITE_NODE } from '../../../stores/test/support/sqlite-node.ts';
import { teamfuse } from '../support/bin.ts';
import {
  type Completion,
  call,
  LOOPING,
  loop,
  type StartedGateway,
  startGateway,
  startModel,
  type Upstream,
} from '../support/gateway.ts';

const MAX_TOKENS = 1_000;
const POLICY = `
[budget]
perTeam.maxTokens = ${MAX_TOKENS}
[teams.sales]
[teams.main]
`;
/** No call takes more than was reserved for it: beyond that, spend may exceed a purse. */
const USED = 25;
const ANSWER: Completion = {
  message: { role: 'assistant', content: 'Done.' },
  usage: { prompt_tokens: 5, completion_tokens: USED - 5 },
};

let folder = '';
let served = 0;
let answering: () => Promise<void> = async () => {};
let says = ANSWER;
let upstream: Upstream;
const gateways: StartedGateway[] = [];
const closing: (() => unknown)[] = [];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'teamfuse-shared-'));
  writeFileSync(join(folder, 'teamfuse.toml'), POLICY);
  served = 0;
  answering = async () => {};
  says = ANSWER;
  upstream = await startModel(async () => {
    served++;
    await answering();
    return says;
  });
});

afterEach(async () => {
  for (const { child } of gateways.splice(0)) child.kill('SIGKILL');
  for (const close of closing.splice(0).reverse()) await close();
  upstream.close();
  rmSync(folder, { recursive: true });
});

async function begin(args: readonly string[], env = {}, node?: string): Promise<StartedGateway> {
  const gateway = await startGateway(upstream.url, args, folder, { ...process.env, ...env }, node);
  gateways.push(gateway);
  return gateway;
}

/** Sends calls, one after the other and each about something else, until one is refused. */
async function spend({ url }: StartedGateway, client: string): Promise<string> {
  for (let n = 0; n < MAX_TOKENS; n++) {
    const content = `${client}, order ${n * n} is late`;
    const { status, reason } = await call(url, '/t/sales/v1', [{ role: 'user', content }]);
    if (status !== 200) return reason;
  }
  throw new Error('nothing was refused');
}

/** Lets two gateways spend what is in the purse of a team. */
async function spendTogether(pair: readonly [StartedGateway, StartedGateway]): Promise<void> {
  const clients = pair.flatMap((gateway, n) => [
    spend(gateway, `client ${n}`),
    spend(gateway, `client ${n + 2}`),
  ]);
  const reasons = await Promise.all(clients);
  for (const reason of reasons) expect(reason).toContain("the budget of team 'sales'");
  expect(served * USED).toBeLessThanOrEqual(MAX_TOKENS);
  expect(served * USED).toBeGreaterThan(MAX_TOKENS / 2);
  for (const gateway of pair) expect(await gateway.end()).toBe(0);
}

/** A gateway stops a conversation in a loop, which another one refuses then. */
async function stopOneEverywhere(url: string): Promise<void> {
  const [one, other] = [await begin(['--store', url]), await begin(['--store', url])];
  const messages = [{ role: 'user', content: 'Find the orders.' }];
  const asked = (gateway: StartedGateway, conversation: string, authorization: string) =>
    call(gateway.url, '/v1', messages, {
      authorization,
      'x-teamfuse-conversation': conversation,
    });
  expect((await asked(other, 'chat 7', 'Bearer ann')).status).toBe(200);
  const about = { authorization: 'Bearer ann', 'x-teamfuse-conversation': 'chat 7' };
  says = LOOPING;
  const { status, reason } = await loop(one.url, '/v1', about);
  says = ANSWER;
  expect([status, reason]).toEqual([402, expect.stringMatching(/find/)]);
  await expect
    .poll(async () => (await asked(other, 'chat 7', 'Bearer ann')).reason, { timeout: 60_000 })
    .toBe(reason);
  expect((await asked(other, 'chat 8', 'Bearer ann')).status).toBe(200);
  expect((await asked(other, 'chat 7', 'Bearer bob')).status).toBe(200);
}

/** A page stops all, and another one resumes all. */
async function stopAllEverywhere(url: string): Promise<void> {
  const store = ['--store', url, '--token', 'let me in'];
  const [one, other] = [await begin(store), await begin(store)];
  const ask = async ({ url: at }: StartedGateway, content: string) =>
    (await call(at, '/v1', [{ role: 'user', content }], { 'x-teamfuse-token': 'let me in' }))
      .status;
  await order(one, 'stop');
  await expect.poll(() => ask(other, 'Are you there?'), { timeout: 60_000 }).toBe(402);
  expect(await ask(await begin(store), 'And you?')).toBe(402);
  await order(other, 'resume');
  await expect.poll(() => ask(one, 'And now?'), { timeout: 60_000 }).toBe(200);
}

/** Stops or resumes all conversations on the page of a gateway. */
async function order({ url }: StartedGateway, what: 'stop' | 'resume'): Promise<void> {
  const entered = await fetch(`${url}/teamfuse/login`, { method: 'POST', body: 'let me in' });
  const cookie = entered.headers.get('set-cookie') ?? '';
  const headers = { cookie: cookie.split(';', 1)[0] ?? '' };
  const { status } = await fetch(`${url}/teamfuse/${what}`, { method: 'POST', headers });
  expect(status).toBe(204);
}

async function redis(...options: readonly string[]) {
  const server = await startRedis(...options);
  closing.push(() => server.stop());
  return server;
}

async function postgres() {
  const server = await startPostgres();
  const pool = new pg.Pool({ connectionString: server.url });
  pool.on('error', () => {});
  closing.push(
    () => server.stop(),
    () => pool.end(),
  );
  return { ...server, pool };
}

async function booksIn(url: string, budget: string): Promise<number> {
  const client = await createClient({ url }).connect();
  const store = new RedisBudgetStore(client, { budget });
  const { spent, reserved } = await store.totals();
  expect(reserved.tokens).toBe(0);
  store.close();
  client.destroy();
  return spent.tokens;
}

describe.skipIf(!HAS_REDIS)('gateways with one Redis (skipped where there is none)', () => {
  it('[GWC12] never spend more than the purse of a team, which the refusal names', async () => {
    const { url } = await redis();
    const pair = [await begin(['--store', url]), await begin([], { TEAMFUSE_STORE: url })] as const;
    expect(pair[0].out).toContain(`Budgets: ${url}`);
    await spendTogether(pair);
    expect(await booksIn(url, 'sales')).toBe(served * USED);
  });

  it('[GWC13] keep the books of each team apart, and those of callers without one', async () => {
    const { url } = await redis();
    writeFileSync(join(folder, 'teamfuse.toml'), `${POLICY}[gateway]\nstore = "${url}"\n`);
    const gateway = await begin([]);
    for (const path of ['/v1', '/v1', '/t/sales/v1', '/t/main/v1', '/t/main/v1', '/t/main/v1']) {
      const content = `Order ${served} is late.`;
      expect((await call(gateway.url, path, [{ role: 'user', content }])).status).toBe(200);
    }
    expect(await gateway.end()).toBe(0);
    expect(await booksIn(url, 'main')).toBe(2 * USED);
    expect(await booksIn(url, 'sales')).toBe(USED);
    expect(await booksIn(url, 'team:main')).toBe(3 * USED);
  });

  it('[GWC15] book the last call before they end, also one that ends after Ctrl-C', async () => {
    const { url } = await redis();
    let release = (): void => {};
    answering = () =>
      new Promise((resolve) => {
        release = resolve;
      });
    const gateway = await begin(['--store', url]);
    const called = call(gateway.url, '/v1', [{ role: 'user', content: 'Go.' }]);
    await expect.poll(() => served).toBe(1);
    const ended = gateway.end();
    release();
    expect((await called).status).toBe(200);
    expect(await ended).toBe(0);
    expect(await booksIn(url, 'main')).toBe(USED);
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
    expect(served).toBe(1);
    expect(gateway.err.match(/the books of 'sales' at \S+ do not answer/g)).toHaveLength(1);
    await server.restart();
    await expect.poll(() => ask(`Again, at ${Math.random()}.`), { timeout: 60_000 }).toBe(200);
    expect(await gateway.end()).toBe(0);
    expect(await booksIn(server.url, 'sales')).toBe(served * USED);
  });

  it('[GWC15] let calls pass while it is away, where they are told to', async () => {
    const server = await redis();
    const gateway = await begin(['--store', server.url, '--fail-mode', 'open']);
    await server.kill();
    const messages = [{ role: 'user', content: 'Go.' }];
    expect((await call(gateway.url, '/t/sales/v1', messages)).status).toBe(200);
    expect(gateway.err).toMatch(/^guard: budget store: reserve failed: /m);
    expect(await gateway.end()).toBe(0);
  });

  it('[GWC16] stop a conversation that one of them stops, and leave the others alone', async () =>
    stopOneEverywhere((await redis()).url));

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

describe.skipIf(!HAS_POSTGRES)('gateways with one PostgreSQL (skipped where there is none)', () => {
  it('[GWC12] never spend more than the purse of a team, which the refusal names', async () => {
    const { url, pool } = await postgres();
    expect(await failing(['--store', url])).toContain('run migrate() of @teamfuse/store-postgres');
    await migrate(pool);
    await spendTogether([await begin(['--store', url]), await begin(['--store', url])]);
    const store = new PostgresBudgetStore(pool, { budget: 'sales' });
    expect((await store.totals()).spent.tokens).toBe(served * USED);
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

describe('gateways with one file', () => {
  it.skipIf(SQLITE_NODE === undefined)(
    '[GWC12] never spend more than the purse of a team (skipped where Node has no SQLite)',
    async () => {
      const policy = `${POLICY}[gateway]\nstore = "books.db"\n`;
      writeFileSync(join(folder, 'teamfuse.toml'), policy);
      await spendTogether([await begin([], {}, SQLITE_NODE), await begin([], {}, SQLITE_NODE)]);
    },
  );

  it.skipIf(process.getBuiltinModule('node:sqlite') !== undefined)(
    '[GWC14] say which Node they need (skipped where Node has SQLite)',
    async () => {
      expect(await failing(['--store', 'books.db'])).toContain('SQLite stores need Node 22.13');
    },
  );
});

/** What a gateway says that cannot start. */
async function failing(args: readonly string[]): Promise<string> {
  const { code, err } = await teamfuse(
    ['gateway', '--upstream', upstream.url, '--port', '0', '--no-policy', ...args],
    '',
    folder,
  );
  expect(code).toBe(2);
  return err;
}

describe('a gateway with a wrong address', () => {
  it.each([
    ['redis://:hush@127.0.0.1:1', /redis:\/\/127\.0\.0\.1:1 cannot be used: connect ECONNREFUSED/],
    ['postgres://ann:hush@127.0.0.1:1/db', /postgres:\S+:1\/db cannot be used: connect ECONNREF/],
    ['mysql://ann:hush@127.0.0.1', /expected redis:\/\/…, rediss:\/\/…, postgres:\/\/…/],
    ['redis://ann:hush@127.0.0.1:x', /expected redis:\/\/…/],
    ['redis:hush', /expected redis:\/\/…/],
    [':memory:', /or the path of a file/],
  ])(
    '[GWC14] does not start, says why in one line, and shows no password: %s',
    async (address, said) => {
      const told = await failing(['--store', address]);
      expect(told).toMatch(said);
      expect(told).toMatch(/^teamfuse: option '--store': .*\n$/);
      expect(told).not.toContain('hush');
    },
  );
});
