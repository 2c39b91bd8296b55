import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CODING_AGENTS, type CodingAgentName } from '../../src/gateway/coding-agents.ts';
import { start, teamfuse } from '../support/bin.ts';

/** Says what it was started with, as the agents read it. */
const STAND_IN = `#!/bin/sh
printf '%s\\n' "$ANTHROPIC_BASE_URL" "$OPENCODE_CONFIG_CONTENT" "$*" "$GOOGLE_GEMINI_BASE_URL"
env | grep -E '^(CODE_ASSIST_ENDPOINT|GOOGLE_VERTEX_BASE_URL)='
exit 0
`;

describe.skipIf(process.platform === 'win32')('teamfuse gateway --for', () => {
  let folder = '';

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'teamfuse-'));
    for (const name of ['claude', 'codex', 'gemini', 'opencode']) {
      writeFileSync(join(folder, name), STAND_IN);
      chmodSync(join(folder, name), 0o755);
    }
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  /** What an agent is told when it is started with the line that the gateway prints. */
  async function toldTo(
    agent: CodingAgentName,
    upstream = CODING_AGENTS[agent].upstream,
  ): Promise<{ url: string; told: string }> {
    const isOther = upstream !== CODING_AGENTS[agent].upstream;
    const more = isOther ? ['--upstream', upstream] : [];
    const args = ['gateway', '--for', agent, '--port', '0', '--no-policy', ...more];
    const child = start(args, folder);
    let out = '';
    child.stdout.on('data', (chunk) => {
      out += chunk;
    });
    await expect.poll(() => out, { timeout: 60_000 }).toContain('Ctrl-C');
    const [line = ''] = out.split('\n');
    const env = { ...process.env, PATH: `${folder}${delimiter}${process.env.PATH}` };
    const told = execFileSync('sh', ['-c', line], { env, encoding: 'utf8' });
    const ended = once(child, 'close');
    child.kill('SIGINT');
    await ended;
    expect(out).toContain(upstream);
    return { url: /http:[^/]*\/\/[^/\s]*/.exec(out)?.[0] ?? '', told };
  }

  it('[GWC41] starts Claude Code with its variable', async () => {
    const { url, told } = await toldTo('claude-code');
    expect(told.split('\n')[0]).toBe(url);
  });

  it('[GWC41] starts Codex with a provider, which it reaches over HTTP', async () => {
    const { url, told } = await toldTo('codex');
    expect(told).toContain('model_provider=teamfuse');
    expect(told).toContain(`base_url="${url}/v1"`);
  });

  it('[GWC41] starts the Gemini CLI with its variable', async () => {
    const { url, told } = await toldTo('gemini-cli');
    expect(told.split('\n')[3]).toBe(url);
  });

  it.each([
    ['CODE_ASSIST_ENDPOINT', 'https://cloudcode-pa.googleapis.com'],
    ['GOOGLE_VERTEX_BASE_URL', 'https://us-central1-aiplatform.googleapis.com'],
  ])('[GWC41] starts the Gemini CLI with %s where that is the upstream', async (name, upstream) => {
    const { url, told } = await toldTo('gemini-cli', upstream);
    expect(told.split('\n')[4]).toBe(`${name}=${url}`);
  });

  it('[GWC41] starts opencode with its variable', async () => {
    const { url, told } = await toldTo('opencode');
    const { provider } = JSON.parse(told.split('\n')[1] ?? '');
    expect(provider.anthropic.options.baseURL).toBe(`${url}/v1`);
  });

  it('[GWC41] or --upstream has to be said, and names that are unknown are refused', async () => {
    const none = await teamfuse(['gateway', '--no-policy']);
    expect([none.code, none.err]).toEqual([2, expect.stringContaining('--for')]);
    const other = await teamfuse(['gateway', '--for', 'gemini', '--no-policy']);
    expect([other.code, other.err]).toEqual([2, expect.stringContaining('claude-code')]);
  });
});
