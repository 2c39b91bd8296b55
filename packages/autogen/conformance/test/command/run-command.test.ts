import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCommand } from '../../src/command/run-command.ts';
import { readVectorFiles } from '../../src/harness/vector-files.ts';
import { committedVectors } from '../support/fixtures.ts';

const script = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

describe('the command', () => {
  let directory: string;

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'teamfuse-command-'));
    const files = await readVectorFiles(committedVectors('agentchat'));
    const { cases = [] } = files.find(({ name }) => name.startsWith('conditions')) ?? {};
    const vectors = cases.slice(0, 20).map(({ vector }) => vector);
    const write = (folder: string, of: readonly object[]): void => {
      mkdirSync(join(directory, folder));
      const text = of.map((vector) => JSON.stringify(vector)).join('\n');
      writeFileSync(join(directory, folder, 'conditions.jsonl'), text);
    };
    write('right', vectors);
    write('wrong', [...vectors.slice(1), { ...vectors[0], expected: [] }]);
    write('empty', []);
  });

  afterAll(() => rmSync(directory, { recursive: true }));

  const run = (...args: readonly string[]): { status: number | null; stdout: string } =>
    spawnSync(process.execPath, [script, ...args], { encoding: 'utf8' });

  test('[CONF17] exits with 0 when no case fails', () => {
    const { status, stdout } = run('agentchat', join(directory, 'right'));
    expect(stdout).toContain('conditions.jsonl: 20 of 20 passed');
    expect(status).toBe(0);
  });

  test('[CONF17] exits with 1 when one case fails, and names it', () => {
    const { status, stdout } = run('agentchat', join(directory, 'wrong'));
    expect(stdout).toContain('19 of 20 passed, 0 deviating, 1 failed');
    expect(stdout).toMatch(/^failed conditions\//m);
    expect(status).toBe(1);
  });

  test('[CONF17] exits with 1 when there is no case, or no such directory', async () => {
    expect(await runCommand(['agentchat', join(directory, 'empty')])).toBe(1);
    expect(run('agentchat', join(directory, 'none')).status).toBe(1);
  });

  test('[CONF17] exits with 2 when it is used wrongly', async () => {
    expect(run('autogen').status).toBe(2);
    expect(await runCommand(['agentchat', directory, '--forgive'])).toBe(2);
    expect(await runCommand(['agentchat', directory, '--guarded', '--record'])).toBe(2);
  });
});
