import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { start, teamfuse } from '../support/bin.ts';

const SCRIPT = fileURLToPath(new URL('./looping.py', import.meta.url));
const KEY = 'sk-python-key';

/** A model that calls the same tool for ever, and the keys that it was sent. */
async function startUpstream() {
  const keys: (string | undefined)[] = [];
  let release = (): void => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await text(request));
    keys.push(request.headers.authorization);
    if (body.model === 'slow') await held;
    const args = JSON.stringify({ query: 'orders' });
    const call = {
      id: `call_${keys.length}`,
      type: 'function',
      function: { name: 'find', arguments: args },
    };
    const message = { role: 'assistant', content: null, tool_calls: [call] };
    const usage = { prompt_tokens: 20, completion_tokens: 5 };
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'tool_calls' }], usage }),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, keys, release, server };
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

describe('teamfuse gateway', () => {
  let folder = '';
  let upstream: Awaited<ReturnType<typeof startUpstream>>;
  let gateway: ReturnType<typeof start>;
  let [out, err, base] = ['', '', ''];

  async function begin(...args: readonly string[]): Promise<void> {
    const common = ['gateway', '--upstream', upstream.url, '--port', '0', '--no-policy'];
    gateway = start([...common, ...args], folder);
    gateway.stderr.on('data', (chunk) => {
      err += chunk;
    });
    gateway.stdout.on('data', (chunk) => {
      out += chunk;
    });
    await expect.poll(() => out, { timeout: 20_000 }).toContain('Ctrl-C');
    base = /^OPENAI_BASE_URL=(\S+)$/m.exec(out)?.[1] ?? '';
  }

  async function python(finds: string): Promise<{ code: number; said: string }> {
    const env = { ...process.env, OPENAI_BASE_URL: base };
    const child = spawn('python3', [SCRIPT, finds], { env });
    const ended = once(child, 'close');
    const said = await text(child.stdout);
    const [code] = await ended;
    return { code, said };
  }

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'teamfuse-gateway-'));
    [out, err, base] = ['', '', ''];
    upstream = await startUpstream();
  });

  afterEach(async () => {
    gateway?.kill('SIGKILL');
    upstream.server.closeAllConnections();
    upstream.server.close();
    rmSync(folder, { recursive: true });
  });

  it('[GWC1] stops a script in Python that loops, by one environment variable', async () => {
    await begin('--record', 'runs.jsonl');
    const { code, said } = await python('nothing');
    expect(said).toMatch(/^refused 402 The call was refused: .*find/);
    expect(code).toBe(1);
    expect(upstream.keys.length).toBeLessThan(6);
    expect(new Set(upstream.keys)).toEqual(new Set([`Bearer ${KEY}`]));
    gateway.kill('SIGINT');
    expect(await once(gateway, 'close')).toEqual([0, null]);
    const recording = readFileSync(join(folder, 'runs.jsonl'), 'utf8');
    expect(recording).toContain('"tool":"find"');
    expect(out + err + recording).not.toContain(KEY);
    expect(err).toContain('stopped ');
  });

  it('[GWC1] lets the same script go on while it finds something', async () => {
    await begin();
    const { code, said } = await python('something');
    expect([code, said.trim()]).toEqual([0, 'done after 12']);
    expect(upstream.keys).toHaveLength(12);
  });

  it('[GWC2] lets calls that are under way end on Ctrl-C', async () => {
    await begin();
    const body = JSON.stringify({ model: 'slow', messages: [{ role: 'user', content: 'Go.' }] });
    const answer = fetch(`${base}/chat/completions`, { method: 'POST', body });
    await expect.poll(() => upstream.keys.length).toBe(1);
    gateway.kill('SIGINT');
    await expect.poll(() => isOpen(base)).toBe(false);
    upstream.release();
    expect((await answer).status).toBe(200);
    expect(await once(gateway, 'close')).toEqual([0, null]);
  });

  it('[GWC3] lets others in with a token only', async () => {
    const args = ['gateway', '--upstream', upstream.url, '--host', '0.0.0.0', '--no-policy'];
    const { code, err: told } = await teamfuse(args);
    expect([code, told]).toEqual([2, expect.stringContaining('--token')]);
  });

  it('[GWC20] takes the token from the environment', async () => {
    process.env.TEAMFUSE_TOKEN = 'token-1';
    try {
      await begin('--host', '0.0.0.0');
    } finally {
      delete process.env.TEAMFUSE_TOKEN;
    }
    const address = base.replace('0.0.0.0', '127.0.0.1');
    const ask = async (headers: Record<string, string>): Promise<number> => {
      const body = '{"model":"gpt-4o-mini","messages":[]}';
      return (await fetch(`${address}/chat/completions`, { method: 'POST', headers, body })).status;
    };
    expect(await ask({})).toBe(403);
    expect(await ask({ 'x-teamfuse-token': 'token-1' })).toBe(200);
    expect(gateway.spawnargs.join(' ')).not.toContain('token-1');
  });

  it('[GWC20] takes an empty token for none', async () => {
    const args = ['gateway', '--upstream', upstream.url, '--host', '0.0.0.0', '--no-policy'];
    const { code, err: told } = await teamfuse([...args, '--token', '']);
    expect([code, told]).toEqual([2, expect.stringContaining('TEAMFUSE_TOKEN')]);
  });
});
