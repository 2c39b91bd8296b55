import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { teamfuse } from '../support/bin.ts';
import { LOOPING, type StartedGateway, startGateway, startModel } from '../support/gateway.ts';

const SCRIPT = fileURLToPath(new URL('./looping.py', import.meta.url));
const KEY = 'sk-python-key';

/** A model that calls the same tool for ever, with the keys and the numbers of messages that it was sent. */
async function startUpstream() {
  const keys: (string | undefined)[] = [];
  const lengths: number[] = [];
  let release = (): void => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const model = await startModel(async (request, authorization) => {
    keys.push(authorization);
    lengths.push(request.messages?.length ?? 0);
    if (request.model === 'slow') await held;
    return LOOPING;
  });
  return { ...model, keys, lengths, release };
}

/** Whether connections are taken at an address. */
function isOpen(address: string): Promise<boolean> {
  const { hostname, port } = new URL(address);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.unref().once('connect', () => socket.destroy());
  });
}

/** Asks a model through a gateway, and reads the whole answer. */
async function asked(url: string, agent: Agent, model: string): Promise<IncomingMessage> {
  const asking = request(`${url}/v1/chat/completions`, { method: 'POST', agent });
  asking.end(JSON.stringify({ model, messages: [{ role: 'user', content: 'Go.' }] }));
  const [answer] = (await once(asking, 'response')) as [IncomingMessage];
  await text(answer);
  return answer;
}

describe('teamfuse gateway', () => {
  let folder = '';
  let upstream: Awaited<ReturnType<typeof startUpstream>>;
  let gateway: StartedGateway | undefined;

  function begin(...args: readonly string[]): Promise<StartedGateway> {
    return beginIn(process.env, ...args);
  }

  async function beginIn(
    env: NodeJS.ProcessEnv,
    ...args: readonly string[]
  ): Promise<StartedGateway> {
    gateway = await startGateway(upstream.url, ['--no-policy', ...args], folder, env);
    return gateway;
  }

  async function python(
    { url }: StartedGateway,
    finds: string,
  ): Promise<{ code: number; said: string }> {
    const env = { ...process.env, OPENAI_BASE_URL: `${url}/v1` };
    const child = spawn('python3', [SCRIPT, finds], { env });
    const ended = once(child, 'close');
    const said = await text(child.stdout);
    const [code] = await ended;
    return { code, said };
  }

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'teamfuse-gateway-'));
    upstream = await startUpstream();
  });

  afterEach(async () => {
    gateway?.child.kill('SIGKILL');
    upstream.close();
    rmSync(folder, { recursive: true });
  });

  it('[GWC1] stops a script in Python that loops, by one environment variable', async () => {
    const started = await begin('--record', 'runs.jsonl');
    const { code, said } = await python(started, 'nothing');
    expect(said).toMatch(/^refused 402 The call was refused: .*find/);
    expect(code).toBe(1);
    expect(upstream.keys.length).toBeLessThan(6);
    expect(new Set(upstream.keys)).toEqual(new Set([`Bearer ${KEY}`]));
    expect(await started.end()).toBe(0);
    const { out, err } = started;
    const recording = readFileSync(join(folder, 'runs.jsonl'), 'utf8');
    expect(recording).toContain('"tool":"find"');
    expect(out + err + recording).not.toContain(KEY);
    expect(err).toContain('stopped ');
  });

  it('[GWC42] asks a model that was told of its loop without the repeated laps, with `--cut-laps`', async () => {
    const policy = join(folder, 'teamfuse.toml');
    writeFileSync(policy, "reaction = 'ladder'\n");
    const started = await startGateway(
      upstream.url,
      ['--policy', policy, '--cut-laps'],
      folder,
      process.env,
    );
    gateway = started;
    await python(started, 'nothing');
    expect(upstream.lengths.slice(0, 4)).toEqual([1, 3, 4, 3]);
  });

  it('[GWC1] lets the same script go on while it finds something', async () => {
    const { code, said } = await python(await begin(), 'something');
    expect([code, said.trim()]).toEqual([0, 'done after 12']);
    expect(upstream.keys).toHaveLength(12);
  });

  it('[GWC2] lets calls that are under way end on Ctrl-C', async () => {
    const { url, end } = await begin();
    const body = JSON.stringify({ model: 'slow', messages: [{ role: 'user', content: 'Go.' }] });
    const answer = fetch(`${url}/v1/chat/completions`, { method: 'POST', body });
    await expect.poll(() => upstream.keys.length).toBe(1);
    const ended = end();
    await expect.poll(() => isOpen(url)).toBe(false);
    upstream.release();
    expect((await answer).status).toBe(200);
    expect(await ended).toBe(0);
  });

  it('[GWC2] waits for no connection on which nothing was asked', async () => {
    const { url, end } = await begin();
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    const left = once(socket, 'close');
    await once(socket, 'connect');
    // Connections are taken in order, so an answer on a later one shows that this one was taken.
    await fetch(`${url}/v1/models`);
    expect(await end()).toBe(0);
    await left;
  });

  it('[GWC2] tells callers with more to ask to leave after the answer', async () => {
    const { url, end } = await begin();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const answered = asked(url, agent, 'slow');
    await expect.poll(() => upstream.keys.length).toBe(1);
    const ended = end();
    await expect.poll(() => isOpen(url)).toBe(false);
    upstream.release();
    const { statusCode, headers } = await answered;
    expect([statusCode, headers.connection]).toEqual([200, 'close']);
    await expect(asked(url, agent, 'fast')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    expect(await ended).toBe(0);
  });

  it('[GWC3] lets others in with a token only', async () => {
    const args = ['gateway', '--upstream', upstream.url, '--host', '0.0.0.0', '--no-policy'];
    const { code, err: told } = await teamfuse(args);
    expect([code, told]).toEqual([2, expect.stringContaining('--token')]);
  });

  it('[GWC17] [GWC18] refuses what holds too much, and counts it', async () => {
    const text = '[gateway.bounds]\nmaxMessages = 2\nmaxDepth = 4';
    writeFileSync(join(folder, 'teamfuse.toml'), text);
    const { url } = await begin(
      '--policy',
      'teamfuse.toml',
      '--metrics',
      '--bound',
      'maxMessages=3',
    );
    const ask = async (messages: readonly object[]): Promise<number> => {
      const body = JSON.stringify({ model: 'fast', messages });
      return (await fetch(`${url}/v1/chat/completions`, { method: 'POST', body })).status;
    };
    const task = { role: 'user', content: 'Go.' };
    expect(await ask([task, task, task])).toBe(200);
    expect(await ask([task, task, task, task])).toBe(400);
    expect(await ask([{ ...task, content: [{ text: [] }] }])).toBe(400);
    const measured = await (await fetch(`${url}/metrics`)).text();
    expect(measured).toMatch(/^teamfuse_gateway_mistakes_total 2$/m);
  });

  it('[GWC18] says what a bound is', async () => {
    const args = ['gateway', '--upstream', upstream.url, '--bound', 'maxMesages=3'];
    const { code, err: told } = await teamfuse(args);
    expect([code, told]).toEqual([2, expect.stringContaining('such as maxMessages=80000')]);
  });

  it('[GWC43] names the variable of a key that is not set', async () => {
    const args = ['gateway', '--upstream', upstream.url, '--judge', '--judge-key', 'NO_API_KEY'];
    const { code, err: told } = await teamfuse(args);
    expect([code, told]).toEqual([2, expect.stringContaining('variable NO_API_KEY is not set')]);
  });

  it('[GWC20] takes the token from the environment', async () => {
    const env = { ...process.env, TEAMFUSE_TOKEN: 'token-1' };
    const { url, child } = await beginIn(env, '--host', '0.0.0.0');
    const address = url.replace('0.0.0.0', '127.0.0.1');
    const ask = async (headers: Record<string, string>): Promise<number> => {
      const body = '{"model":"gpt-4o-mini","messages":[]}';
      return (await fetch(`${address}/v1/chat/completions`, { method: 'POST', headers, body }))
        .status;
    };
    expect(await ask({})).toBe(403);
    expect(await ask({ 'x-teamfuse-token': 'token-1' })).toBe(200);
    expect(child.spawnargs.join(' ')).not.toContain('token-1');
  });

  it('[GWC20] takes an empty token for none', async () => {
    const args = ['gateway', '--upstream', upstream.url, '--host', '0.0.0.0', '--no-policy'];
    const { code, err: told } = await teamfuse([...args, '--token', '']);
    expect([code, told]).toEqual([2, expect.stringContaining('TEAMFUSE_TOKEN')]);
  });
});
