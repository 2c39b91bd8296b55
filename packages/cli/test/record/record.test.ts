import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Breaker, type Signal, type Trip } from '@teamfuse/core';
import { recordTo } from '@teamfuse/recorder';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runHere } from '../support/run.ts';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const BUILT = at('../../dist/bin.js');
const CORE = pathToFileURL(at('../../../core/dist/index.js')).href;
const isBuilt = [
  BUILT,
  at('../../../recorder/dist/preload.js'),
  at('../../../core/dist/index.js'),
].every((path) => existsSync(path));

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'teamfuse record '));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const said = (i: number): Signal => ({
  kind: 'message',
  at: i * 1000,
  agent: i % 2 === 0 ? 'writer' : 'critic',
  text: i < 2 ? `Sales rose by ${12 * i} percent in May.` : 'Thank you, that is very good. Go on.',
});

describe('a recording', () => {
  it('[RCD1] replays to the trip of the live run, and a torn line is counted', async () => {
    const file = join(folder, 'torn.jsonl');
    const breaker = new Breaker();
    const recorder = recordTo(breaker, file, { run: 'may' });
    let trip: Trip | undefined;
    for (let i = 0; trip === undefined; i++) trip = breaker.observe(said(i));
    await recorder.close();
    writeFileSync(file, '{"kind":"message","at":99', { flag: 'a' });
    const { code, out, err } = await runHere(['replay', file, '--json']);
    expect(code).toBe(1);
    const { kind, reason, index } = trip;
    expect(JSON.parse(out)).toMatchObject({ id: 'may', trips: [{ kind, reason, at: index + 1 }] });
    expect(err).toContain('skipped');
    expect(err).toContain('1 line was broken');
  });

  it.each([
    ['the same answer each time, whose third call is refused', () => 'nothing found', 1],
    ['something new each time', (i: number) => `page ${i}`, 0],
  ])(
    '[RCD1] of calls with %s replays to the trip of the live run',
    async (name, result, expected) => {
      const file = join(folder, `${name}.jsonl`);
      const breaker = new Breaker();
      const recorder = recordTo(breaker, file);
      const call = { kind: 'tool-call', agent: 'a', tool: 'search', args: { q: 'x' } } as const;
      for (let i = 0; i < 6; i++) {
        await breaker.run({ ...call, at: i * 1000 }, async () => result(i)).catch(() => {});
      }
      await recorder.close();
      const { code, out } = await runHere(['replay', file, '--json']);
      expect(code).toBe(expected);
      const { trip } = breaker.conversation();
      const { trips } = JSON.parse(out);
      expect(trips).toMatchObject(trip ? [{ kind: trip.kind, reason: trip.reason }] : []);
      expect(trips).toHaveLength(expected);
    },
  );

  it('[RCD1] begins its runs where the live ones began', async () => {
    const file = join(folder, 'runs.jsonl');
    const breaker = new Breaker({ maxMessages: 3, maxRunMs: 60_000 });
    const recorder = recordTo(breaker, file, { run: 'may' });
    const conversation = breaker.conversation('chat');
    for (let i = 0; i < 4; i++) {
      conversation.beginRun(i * 100_000);
      conversation.observe({ kind: 'message', at: i * 100_000 + 1, agent: 'a', text: `${i}` });
      conversation.observe({ kind: 'message', at: i * 100_000 + 2, agent: 'b', text: `to ${i}` });
    }
    expect(conversation.trip).toBeUndefined();
    conversation.beginRun(400_000);
    conversation.observe({ kind: 'message', at: 470_000, agent: 'a', text: 'That took long.' });
    await recorder.close();
    const args = ['--json', '--set', 'maxMessages=3', '--set', 'maxRunMs=60000'];
    const { out } = await runHere(['replay', file, ...args]);
    const { kind, reason } = conversation.trip ?? {};
    expect(kind).toBe('limit');
    expect(JSON.parse(out)).toMatchObject({ id: 'may/chat', trips: [{ kind, reason, at: 9 }] });
  });

  it('[RCD1] says how many lines could not be recorded, and refuses another version', async () => {
    const file = join(folder, 'lost.jsonl');
    const header = { record: 'header', version: 2, run: 'may', part: 0, at: 0 };
    const lines = [header, said(0), { record: 'lost', count: 3 }, said(1)];
    writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    const { err } = await runHere(['replay', file]);
    expect(err).toContain(':1: expected a recording of version 1');
    expect(err).toContain(':3: 3 lines before this could not be recorded');
  });
});

describe.skipIf(!isBuilt)('teamfuse record (needs a build)', () => {
  const record = (args: readonly string[], input = ''): ReturnType<typeof spawnSync> =>
    spawnSync(process.execPath, [BUILT, 'record', ...args], {
      encoding: 'utf8',
      input,
      cwd: folder,
    });

  it('[RCD2] runs a program as it is, and records every breaker in it', async () => {
    const program = join(folder, 'team.mjs');
    writeFileSync(
      program,
      `import { Breaker } from '${CORE}';
      let input = '';
      for await (const chunk of process.stdin) input += chunk;
      for (const text of [input, 'second']) {
        new Breaker().observe({ kind: 'message', at: 0, agent: process.argv[2], text });
      }
      console.log(process.argv.slice(2).join(' '));
      process.exit(7);`,
    );
    const args = ['--out', 'team.jsonl', '--', process.execPath, program, '--out', 'x'];
    const { status, stdout, stderr } = record(args, 'from standard input');
    expect(stdout).toBe('--out x\n');
    expect(status).toBe(7);
    expect(stderr).toContain('recorded to ');
    const replayed = await runHere(['replay', '--json', join(folder, 'team.jsonl')]);
    const ids = replayed.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).id);
    expect(ids).toHaveLength(2);
    expect(ids[1]).toBe(`${ids[0]}#2`);
  });

  it('[RCD3] says when nothing was recorded, and ends as the program did', () => {
    const nothing = record(['--', process.execPath, '-e', 'process.kill(process.pid, "SIGTERM")']);
    expect(nothing.status).toBe(143);
    expect(nothing.stderr).toContain('nothing was recorded');
    const missing = record(['--', join(folder, 'no such program')]);
    expect(missing.status).toBe(127);
    expect(missing.stderr).toContain('ENOENT');
  });
});
