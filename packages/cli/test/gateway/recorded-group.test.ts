import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { start } from '../support/bin.ts';

interface Recorded {
  readonly request: object;
  readonly answer: {
    readonly usage: { readonly prompt_tokens: number; readonly completion_tokens: number };
  };
}

const FILE = new URL('../../../wire/test/fixtures/group-chat.jsonl', import.meta.url);
const RECORDED: readonly Recorded[] = readFileSync(FILE, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));

describe('teamfuse gateway', () => {
  let folder = '';
  let gateway: ReturnType<typeof start> | undefined;
  /** Answers as the model of the recording did, one request after another. */
  const left = [...RECORDED];
  const upstream = createServer(async (request, response) => {
    await text(request);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(left.shift()?.answer));
  });

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'teamfuse-gateway-'));
    await once(upstream.listen(0, '127.0.0.1'), 'listening');
  });

  afterEach(() => {
    gateway?.kill('SIGKILL');
    upstream.closeAllConnections();
    upstream.close();
    rmSync(folder, { recursive: true });
  });

  it('[GWC4] records what a group of AutoGen said and took, to the token', async () => {
    const url = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
    // The coder fails three times in the same way, which would stop it.
    writeFileSync(join(folder, 'teamfuse.toml'), 'reaction = "observe"\n');
    const where = ['--upstream', url, '--port', '0', '--record', 'runs.jsonl'];
    const running = start(['gateway', ...where], folder);
    gateway = running;
    let out = '';
    running.stdout.on('data', (chunk) => {
      out += chunk;
    });
    await expect.poll(() => out, { timeout: 20_000 }).toContain('Ctrl-C');
    const base = /^OPENAI_BASE_URL=(\S+)$/m.exec(out)?.[1] ?? '';
    const conversations: (string | null)[] = [];
    for (const { request, answer } of RECORDED) {
      const body = JSON.stringify(request);
      const response = await fetch(`${base}/chat/completions`, { method: 'POST', body });
      expect(await response.json()).toEqual(answer);
      conversations.push(response.headers.get('x-teamfuse-conversation'));
    }
    const ofGroup = conversations.filter((id) => id === conversations[0]);
    expect(ofGroup).toHaveLength(18);
    running.kill('SIGINT');
    expect(await once(running, 'close')).toEqual([0, null]);
    const usages = readFileSync(join(folder, 'runs.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
      .filter(({ kind }) => kind === 'usage')
      .map(({ inputTokens, outputTokens }) => [inputTokens, outputTokens]);
    expect(usages).toEqual(
      RECORDED.map(({ answer: { usage } }) => [usage.prompt_tokens, usage.completion_tokens]),
    );
  });
});
