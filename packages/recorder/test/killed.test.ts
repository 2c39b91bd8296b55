import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { Breaker } from '@teamfuse/core';
import { parseSignal } from '@teamfuse/core/kit';
import { build, defaultServerConditions } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordTo } from '../src/index.ts';

const PROGRAMS = ['loop', 'two-processes', 'many-lines'] as const;
const conditions = ['@teamfuse/source', ...defaultServerConditions];

let folder = '';
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'teamfuse-killed-'));
  // Bundled once: Node does not run the sources, and reading them anew would take each process a second.
  const support = (name: string): string =>
    fileURLToPath(new URL(`./support/${name}.ts`, import.meta.url));
  await build({
    configFile: false,
    logLevel: 'silent',
    ssr: { noExternal: true, resolve: { conditions } },
    build: {
      ssr: true,
      outDir: join(folder, 'programs'),
      rolldownOptions: {
        input: PROGRAMS.map(support),
        output: { entryFileNames: '[name].mjs' },
      },
    },
  });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Starts a program of `support/`. */
function start(
  name: (typeof PROGRAMS)[number],
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): ChildProcess {
  const command = [join(folder, 'programs', `${name}.mjs`), ...args];
  return spawn(process.execPath, command, {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
}

const ended = (child: ChildProcess): Promise<unknown> =>
  new Promise((resolve) => child.once('close', (code, signal) => resolve(signal ?? code)));

const read = (file: string): Record<string, unknown>[] =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('a recording', () => {
  it('[REC2] [REC3] holds all that a killed process had observed, and gives its trip again', async () => {
    const file = join(folder, 'loop.jsonl');
    const child = start('loop', [file]);
    const over = ended(child);
    let last = -1;
    let live: { kind: string; reason: string; index: number } | undefined;
    for await (const line of createInterface({ input: child.stdout as Readable })) {
      if (line.startsWith('{')) live = JSON.parse(line);
      else last = Number(line);
      if (last >= 200 && !child.killed) child.kill('SIGKILL');
    }
    expect(await over).toBe('SIGKILL');
    expect(live).toBeDefined();
    const lines = read(file);
    const signals = lines.filter(({ kind }) => kind !== undefined).map(parseSignal);
    expect(signals.length).toBeGreaterThan(last);
    expect(signals.map(({ at }) => at)).toEqual(signals.map((_, i) => i * 1000));
    const again = new Breaker();
    const trips = signals.flatMap((signal) => again.observe(signal) ?? []);
    expect(trips.map(({ kind, reason, index }) => ({ kind, reason, index }))).toEqual([live]);
    expect(lines.flatMap(({ trip }) => trip ?? [])).toMatchObject([live as object]);
  });

  it('[REC12] of a program has every breaker in it, and a file of its own for each further process', async () => {
    const file = join(folder, 'program', 'run.jsonl');
    const child = start('two-processes', [], { TEAMFUSE_RECORDING: file });
    expect(await ended(child)).toBe(0);
    const [second = '', ...more] = readdirSync(join(file, '..')).filter((name) =>
      /^run\.\d+\.jsonl$/.test(name),
    );
    expect(more).toEqual([]);
    const texts = (path: string): unknown[] => read(path).flatMap(({ text }) => text ?? []);
    expect(texts(file)).toEqual(['first breaker', 'second breaker']);
    expect(texts(join(file, '..', second))).toEqual(['further process']);
  });

  it('[REC13] of two processes in one file keeps to maxBytes, and has every line of both', async () => {
    const file = join(folder, 'shared', 'run.jsonl');
    const runs = ['one', 'two'];
    const children = runs.map((run) => start('many-lines', [file, run, '2000', '8192']));
    // Both are there before either begins.
    await Promise.all(children.map(({ stdout }) => once(stdout as Readable, 'data')));
    for (const { stdin } of children) stdin?.end();
    expect(await Promise.all(children.map(ended))).toEqual([0, 0]);
    const names = readdirSync(join(file, '..'));
    expect(names.length).toBeGreaterThan(20);
    const lines = names.flatMap((name) => {
      const path = join(file, '..', name);
      expect(name).toMatch(/^run(\.\d+)?\.jsonl$/);
      expect(statSync(path).size).toBeLessThanOrEqual(8192);
      const part = read(path);
      expect(part[0]).toMatchObject({ record: 'header' });
      return part;
    });
    for (const run of runs) {
      const times = lines.flatMap(({ conversation, at }) => (conversation === run ? [at] : []));
      expect(times.map(Number).sort((a, b) => a - b)).toEqual(times.map((_, i) => i));
      expect(times).toHaveLength(2000);
    }
  });

  it('[REC13] goes on beside the lock of a process that was killed', () => {
    const file = join(folder, 'locked.jsonl');
    const { pid } = spawnSync(process.execPath, ['--eval', '']);
    writeFileSync(`${file}.lock`, JSON.stringify({ id: 'x', pid, host: hostname() }));
    const breaker = new Breaker();
    recordTo(breaker, file);
    breaker.observe({ kind: 'message', at: 0, agent: 'a', text: 'Hello.' });
    expect(read(file)).toHaveLength(2);
    expect(existsSync(`${file}.lock`)).toBe(false);
  });
});
