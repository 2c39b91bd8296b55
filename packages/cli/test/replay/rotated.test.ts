import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Breaker, type Signal } from '@teamfuse/core';
import { recordTo } from '@teamfuse/recorder';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { partsOf } from '../../src/replay/parts.ts';
import { runHere } from '../support/run.ts';

const folder = mkdtempSync(join(tmpdir(), 'teamfuse-rotated-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const at = (...names: readonly string[]): string => join(folder, ...names);

beforeEach(() => {
  for (const name of readdirSync(folder)) rmSync(at(name), { recursive: true });
  for (const name of ['small', 'whole', 'apart']) mkdirSync(at(name));
});

const call = (i: number, q: string): Signal => {
  const asked = { kind: 'tool-call', at: 1000 * i, agent: 'clerk', tool: 'find' } as const;
  return { ...asked, args: { q }, result: q === 'x' ? 'none' : `row ${i * 7919}` };
};
const CALLS = Array.from({ length: 24 }, (_, i) => call(i, i < 21 ? `n${i}` : 'x'));

async function record(file: string, signals: readonly Signal[], maxBytes?: number): Promise<void> {
  const breaker = new Breaker({ reaction: 'observe' });
  await using _ = recordTo(breaker, file, { run: 'may', ...(maxBytes && { maxBytes }) });
  for (const signal of signals) {
    breaker.observe(signal);
    breaker.conversation('side').observe({ ...signal, agent: 'buyer' });
  }
}

interface Told {
  readonly id: string;
  readonly source: string;
}

/** What came of each conversation. */
async function told(...paths: readonly string[]): Promise<Told[]> {
  const { out } = await runHere(['replay', '--no-policy', '--json', ...paths]);
  return out.split('\n').flatMap((line) => (line === '' ? [] : JSON.parse(line)));
}

const withoutSource = (all: readonly Told[]): object[] => all.map(({ source: _, ...rest }) => rest);

describe('a recording that was moved aside when it was full', () => {
  it('[RCD4] is replayed as one, under the name that it was given', async () => {
    await record(at('small', 'run.jsonl'), CALLS, 2000);
    await record(at('whole', 'run.jsonl'), CALLS);
    expect(readdirSync(at('small')).length).toBeGreaterThan(3);
    const small = await told(at('small'));
    expect(withoutSource(small)).toEqual(withoutSource(await told(at('whole'))));
    expect(small.map(({ id, source }) => [id, source])).toEqual([
      ['may', at('small', 'run.jsonl')],
      ['may/side', at('small', 'run.jsonl')],
    ]);
    expect(small[0]).toMatchObject({ turns: 24, trips: [{ at: 24, kind: 'repetition' }] });
  });

  it('[RCD4] is replayed as one in whatever order its files are named, and packed', async () => {
    await record(at('small', 'run.jsonl'), CALLS, 2000);
    const expected = await told(at('small'));
    const packed = at('small', 'run.2.jsonl');
    writeFileSync(`${packed}.gz`, gzipSync(readFileSync(packed)));
    rmSync(packed);
    const names = readdirSync(at('small')).toReversed();
    expect(await told(...names.map((name) => at('small', name)))).toEqual(expected);
  });

  it('[RCD4] is handed to one thread with its older files', async () => {
    const older = ['run.2.jsonl', 'run.1.jsonl'];
    const file = { source: 'run.jsonl', bytes: 9, isNamed: true, older };
    const parts = [];
    for await (const part of partsOf([file])) parts.push(part);
    expect(parts).toEqual([{ source: 'run.jsonl', older }]);
  });

  it('[RCD4] is read on where an older file is broken or breaks off, which is named', async () => {
    // A file is known by its beginning, which has to arrive before it breaks off.
    const long = CALLS.map((one, i) => ({ ...one, note: `${i} `.repeat(5000) }));
    await record(at('small', 'run.jsonl'), long, 200_000);
    const [torn, cut] = [at('small', 'run.1.jsonl'), at('small', 'run.2.jsonl')];
    writeFileSync(torn, '{"kind":"mess', { flag: 'a' });
    writeFileSync(`${cut}.gz`, gzipSync(readFileSync(cut)).subarray(0, -4));
    rmSync(cut);
    const { out, err } = await runHere(['replay', '--no-policy', '--all', at('small')]);
    expect(err).toContain(`${cut}.gz: unexpected end of file; skipped`);
    expect(err).toMatch(/run\.1\.jsonl:\d+: the line is not JSON; skipped/);
    expect(out).toContain('2 of 2 conversations tripped');
  });

  it.each([
    ['begins a run at the end of a file', [{ record: 'run', conversation: 'may' }], 0],
    ['goes on with its run', [], 1],
  ])('[RCD4] has its limits where it %s', async (_, end, code) => {
    const write = (name: string, part: number, first: number, more: readonly object[]): void => {
      const header = { record: 'header', version: 1, run: 'may', part, at: 0 };
      const calls = [0, 1, 2].map((i) => ({ ...call(first + i, `n${i}`), conversation: 'may' }));
      const lines = [header, ...calls, ...more].map((line) => `${JSON.stringify(line)}\n`);
      writeFileSync(at('small', name), lines.join(''));
    };
    write('run.1.jsonl', 0, 0, end);
    write('run.jsonl', 1, 3, []);
    const args = ['replay', '--no-policy', '--set', 'maxToolCalls=4', at('small')];
    expect((await runHere(args)).code).toBe(code);
  });

  it('[RCD4] is not joined over a file that is missing', async () => {
    await record(at('small', 'run.jsonl'), CALLS, 2000);
    rmSync(at('small', 'run.1.jsonl'));
    const sources = new Set((await told(at('small'))).map(({ source }) => source));
    expect(sources).toEqual(new Set([at('small', 'run.2.jsonl'), at('small', 'run.jsonl')]));
  });
});

describe('recordings that are numbered', () => {
  it('[RCD4] stay apart where each begins its run, so that none adds to the others', async () => {
    for (const name of ['run.jsonl', 'run.1.jsonl', 'run.2.jsonl']) {
      await record(at('apart', name), [call(0, 'x'), call(1, 'y')]);
    }
    const all = await told(at('apart'));
    expect(all).toHaveLength(6);
    expect(all).toEqual(all.map((one) => ({ ...one, turns: 2, trips: [] })));
  });

  it.skipIf(process.platform === 'win32')(
    '[RCD4] stay apart where they are pipes, which can be read only once',
    async () => {
      const pipes = ['run.1.jsonl', 'run.jsonl'].map((name) => at('apart', name));
      execFileSync('mkfifo', pipes);
      const writing = pipes.map((pipe, part) => {
        const header = { record: 'header', version: 1, run: 'may', part, at: 0 };
        const lines = [header, { ...call(part, 'x'), conversation: 'may' }];
        return writeFile(pipe, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
      });
      const all = await told(...pipes);
      await Promise.all(writing);
      expect(all.map(({ source }) => source)).toEqual(pipes);
    },
  );

  it('[RCD4] stay apart where one is the packed copy of another', async () => {
    await record(at('apart', 'run.jsonl'), [call(0, 'x'), call(1, 'x')]);
    const text = readFileSync(at('apart', 'run.jsonl'));
    writeFileSync(at('apart', 'run.jsonl.gz'), gzipSync(text));
    expect(await told(at('apart'))).toHaveLength(4);
  });
});
