import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { build, defaultServerConditions } from 'vite';
import { afterAll, beforeAll, expect } from 'vitest';

const NAMES = ['loop', 'two-processes', 'many-lines'] as const;
const conditions = ['@teamfuse/source', ...defaultServerConditions];

/** Programs that record, for the tests of a file. */
export class Programs {
  /** What the tests write goes there, too. */
  readonly folder: string = mkdtempSync(join(tmpdir(), 'teamfuse-killed-'));

  constructor() {
    // Bundled once: Node does not run the sources, and reading them anew would take each process a second.
    beforeAll(async () => {
      const support = (name: string): string =>
        fileURLToPath(new URL(`./${name}.ts`, import.meta.url));
      await build({
        configFile: false,
        logLevel: 'silent',
        ssr: { noExternal: true, resolve: { conditions } },
        build: {
          ssr: true,
          outDir: join(this.folder, 'programs'),
          rolldownOptions: {
            input: NAMES.map(support),
            output: { entryFileNames: '[name].mjs' },
          },
        },
      });
    });
    afterAll(() => rmSync(this.folder, { recursive: true, force: true }));
  }

  /** Starts a program of this folder. */
  start(
    name: (typeof NAMES)[number],
    args: readonly string[],
    env: NodeJS.ProcessEnv = {},
  ): ChildProcess {
    const command = [join(this.folder, 'programs', `${name}.mjs`), ...args];
    return spawn(process.execPath, command, {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...process.env, ...env },
    });
  }

  /** Has two processes record so many lines each in one file: its parts stay small, and no line is lost. */
  async recordTogether(count: number): Promise<void> {
    const file = join(this.folder, 'shared', 'run.jsonl');
    const runs = ['one', 'two'];
    const children = runs.map((run) => this.start('many-lines', [file, run, `${count}`, '8192']));
    // Both are there before either begins.
    await Promise.all(children.map(({ stdout }) => once(stdout as Readable, 'data')));
    for (const { stdin } of children) stdin?.end();
    expect(await Promise.all(children.map(ended))).toEqual([0, 0]);
    const names = readdirSync(join(file, '..'));
    expect(names.length).toBeGreaterThan(count / 100);
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
      expect(times).toHaveLength(count);
    }
  }
}

export const ended = (child: ChildProcess): Promise<unknown> =>
  new Promise((resolve) => child.once('close', (code, signal) => resolve(signal ?? code)));

export const read = (file: string): Record<string, unknown>[] =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
