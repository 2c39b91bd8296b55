import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { Breaker } from '@teamfuse/core';
import { parseSignal } from '@teamfuse/core/kit';
import { describe, expect, it } from 'vitest';
import { recordTo } from '../src/index.ts';
import { ended, Programs, read } from './support/programs.ts';

const programs = new Programs();

describe('a recording', () => {
  it('[REC2] [REC3] holds all that a killed process had observed, and gives its trip again', async () => {
    const file = join(programs.folder, 'loop.jsonl');
    const child = programs.start('loop', [file]);
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

  it('[REC12] of a program has every breaker in it, and those of its processes and threads', async () => {
    const file = join(programs.folder, 'program', 'run.jsonl');
    const child = programs.start('two-processes', [], { TEAMFUSE_RECORDING: file });
    expect(await ended(child)).toBe(0);
    expect(readdirSync(dirname(file))).toEqual(['run.jsonl']);
    const lines = read(file).filter(({ kind }) => kind !== undefined);
    expect(lines.map(({ text }) => text)).toEqual([
      'first breaker',
      'second breaker',
      'further process',
      'thread',
    ]);
    expect(new Set(lines.map(({ conversation }) => conversation)).size).toBe(4);
  });

  it('[REC13] of two processes in one file keeps to maxBytes, and has every line of both', () =>
    programs.recordTogether(200));

  it('[REC13] goes on beside the lock of a process that was killed', () => {
    const file = join(programs.folder, 'locked.jsonl');
    const { pid } = spawnSync(process.execPath, ['--eval', '']);
    writeFileSync(`${file}.lock`, JSON.stringify({ id: 'x', pid, host: hostname() }));
    const breaker = new Breaker();
    recordTo(breaker, file);
    breaker.observe({ kind: 'message', at: 0, agent: 'a', text: 'Hello.' });
    expect(read(file)).toHaveLength(2);
    expect(existsSync(`${file}.lock`)).toBe(false);
  });
});
