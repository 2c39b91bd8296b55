import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RedisBudgetStore } from '@teamfuse/stores/redis';
import pg from 'pg';
import { createClient } from 'redis';
import { afterEach, beforeEach, expect } from 'vitest';
import { startPostgres } from '../../../../test/servers/postgres-server.ts';
import { type RedisServer, startRedis } from '../../../../test/servers/redis-server.ts';
import { teamfuse } from './bin.ts';
import {
  type Completion,
  call,
  LOOPING,
  loop,
  type StartedGateway,
  startGateway,
  startModel,
  type Upstream,
} from './gateway.ts';

const MAX_TOKENS = 1_000;
export const POLICY: string = `
[budget]
perTeam.maxTokens = ${MAX_TOKENS}
[teams.sales]
[teams.main]
`;
/** No call takes more than was reserved for it: beyond that, spend may exceed a purse. */
export const USED = 25;
const ANSWER: Completion = {
  message: { role: 'assistant', content: 'Done.' },
  usage: { prompt_tokens: 5, completion_tokens: USED - 5 },
};

/** What a test of gateways with one store has to do with. */
interface Scene {
  /** Where gateways run, and find their policy. */
  folder: string;
  upstream: Upstream;
  /** How many calls the model has answered. */
  served: number;
  /** What the model waits for, and then says. */
  answering: () => Promise<void>;
  says: Completion;
}

export const scene: Scene = {} as Scene;
const gateways: StartedGateway[] = [];
const closing: (() => unknown)[] = [];

/** Sets the scene for each test of a file, and clears up after it. */
export function setTheScene(): void {
  beforeEach(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'teamfuse-shared-'));
    writeFileSync(join(folder, 'teamfuse.toml'), POLICY);
    const upstream = await startModel(async () => {
      scene.served++;
      await scene.answering();
      return scene.says;
    });
    Object.assign(scene, { folder, upstream, served: 0, answering: async () => {}, says: ANSWER });
  });

  afterEach(async () => {
    for (const { child } of gateways.splice(0)) child.kill('SIGKILL');
    for (const close of closing.splice(0).reverse()) await close();
    scene.upstream.close();
    rmSync(scene.folder, { recursive: true });
  });
}

/** Starts a gateway that ends with the test. */
export async function begin(
  args: readonly string[],
  env = {},
  node?: string,
): Promise<StartedGateway> {
  const gateway = await startGateway(
    scene.upstream.url,
    args,
    scene.folder,
    { ...process.env, ...env },
    node,
  );
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
export async function spendTogether(
  pair: readonly [StartedGateway, StartedGateway],
): Promise<void> {
  const clients = pair.flatMap((gateway, n) => [
    spend(gateway, `client ${n}`),
    spend(gateway, `client ${n + 2}`),
  ]);
  const reasons = await Promise.all(clients);
  for (const reason of reasons) expect(reason).toContain("the budget of team 'sales'");
  expect(scene.served * USED).toBeLessThanOrEqual(MAX_TOKENS);
  expect(scene.served * USED).toBeGreaterThan(MAX_TOKENS / 2);
  for (const gateway of pair) expect(await gateway.end()).toBe(0);
}

/** A gateway stops a conversation in a loop, which another one refuses then. */
export async function stopOneEverywhere(url: string): Promise<void> {
  const [one, other] = [await begin(['--store', url]), await begin(['--store', url])];
  const messages = [{ role: 'user', content: 'Find the orders.' }];
  const asked = (gateway: StartedGateway, conversation: string, authorization: string) =>
    call(gateway.url, '/v1', messages, {
      authorization,
      'x-teamfuse-conversation': conversation,
    });
  expect((await asked(other, 'chat 7', 'Bearer ann')).status).toBe(200);
  const about = { authorization: 'Bearer ann', 'x-teamfuse-conversation': 'chat 7' };
  scene.says = LOOPING;
  const { status, reason } = await loop(one.url, '/v1', about);
  scene.says = ANSWER;
  expect([status, reason]).toEqual([402, expect.stringMatching(/find/)]);
  await expect
    .poll(async () => (await asked(other, 'chat 7', 'Bearer ann')).reason, { timeout: 60_000 })
    .toBe(reason);
  expect((await asked(other, 'chat 8', 'Bearer ann')).status).toBe(200);
  expect((await asked(other, 'chat 7', 'Bearer bob')).status).toBe(200);
}

/** A page stops all, and another one resumes all. */
export async function stopAllEverywhere(url: string): Promise<void> {
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

/** Starts a Redis that ends with the test. */
export async function redis(...options: readonly string[]): Promise<RedisServer> {
  const server = await startRedis(...options);
  closing.push(() => server.stop());
  return server;
}

/** Starts a PostgreSQL that ends with the test. */
export async function postgres(): Promise<{ readonly url: string; readonly pool: pg.Pool }> {
  const server = await startPostgres();
  const pool = new pg.Pool({ connectionString: server.url });
  pool.on('error', () => {});
  closing.push(
    () => server.stop(),
    () => pool.end(),
  );
  return { url: server.url, pool };
}

/** What a budget in a Redis has spent, once nothing is under way. */
export async function booksIn(url: string, budget: string): Promise<number> {
  const client = await createClient({ url }).connect();
  const store = new RedisBudgetStore(client, { budget });
  const { spent, reserved } = await store.totals();
  expect(reserved.tokens).toBe(0);
  store.close();
  client.destroy();
  return spent.tokens;
}

/** What a gateway says that cannot start. */
export async function failing(args: readonly string[]): Promise<string> {
  const { code, err } = await teamfuse(
    ['gateway', '--upstream', scene.upstream.url, '--port', '0', '--no-policy', ...args],
    '',
    scene.folder,
  );
  expect(code).toBe(2);
  return err;
}
