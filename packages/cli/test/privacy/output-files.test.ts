import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { loop, writeLines } from '../support/recordings.ts';
import { runHere } from '../support/run.ts';

const folder = mkdtempSync(join(tmpdir(), 'teamfuse-files-'));
const at = (name: string): string => join(folder, name);
const report = (input: string, output: string): ReturnType<typeof runHere> =>
  runHere(['report', input, '-o', output, '--no-policy']);

function linked(link: (to: string, path: string) => void): string {
  link(at('run.jsonl'), at('link'));
  return at('link');
}

beforeEach(() => {
  for (const name of readdirSync(folder)) rmSync(at(name), { recursive: true });
  writeLines(at('run.jsonl'), loop('a', 20));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the file of a report', () => {
  it('[REPORT12] can be read by its owner alone, also where another one was before', async () => {
    writeFileSync(at('old.html'), 'old');
    chmodSync(at('old.html'), 0o666);
    for (const name of ['new.html', 'old.html']) {
      expect((await report(at('run.jsonl'), at(name))).code).toBe(0);
      expect(statSync(at(name)).mode & 0o777).toBe(0o600);
      expect(readFileSync(at(name), 'utf8')).toContain('<!doctype html>');
    }
    expect(readdirSync(folder).sort()).toEqual(['new.html', 'old.html', 'run.jsonl']);
  });

  it('[REPORT1] is written again although an input is missing', async () => {
    const args = ['report', at('gone.jsonl'), at('run.jsonl'), '-o', at('new.html'), '--no-policy'];
    const first = await runHere(args);
    expect(first).toMatchObject({ code: 3, out: expect.stringContaining('would have been saved') });
    expect(await runHere(args)).toEqual(first);
  });

  it('[REPORT12] is not written through a link', async () => {
    writeFileSync(at('target'), 'kept');
    symlinkSync(at('target'), at('report.html'));
    const { code, err } = await report(at('run.jsonl'), at('report.html'));
    expect([code, readFileSync(at('target'), 'utf8')]).toEqual([3, 'kept']);
    expect(err).toContain('expected a file, received a symbolic link');
    expect(readdirSync(folder).sort()).toEqual(['report.html', 'run.jsonl', 'target']);
  });

  it('[REPORT12] may be a device', async () => {
    expect((await report(at('run.jsonl'), '/dev/null')).code).toBe(0);
    expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
  });

  it.each([
    ['its own name', () => at('run.jsonl')],
    ['a relative path', () => relative(process.cwd(), at('run.jsonl'))],
    ['a symbolic link', () => linked(symlinkSync)],
    ['a hard link', () => linked(linkSync)],
  ])('[REPORT13] never replaces a recording that it reads, named by %s', async (_, name) => {
    const before = readFileSync(at('run.jsonl'), 'utf8');
    const output = name();
    for (const input of [at('run.jsonl'), folder]) {
      const { code, err } = await report(input, output);
      expect([code, err]).toEqual([3, expect.stringMatching(/is read as .* and cannot be/)]);
    }
    expect(readFileSync(at('run.jsonl'), 'utf8')).toBe(before);
  });

  it('[REPORT13] is written beside the recordings that it reads', async () => {
    mkdirSync(at('runs'));
    writeLines(at('runs/one.jsonl'), loop('a', 20));
    expect((await report(at('runs'), at('runs/report.html'))).code).toBe(0);
    expect(existsSync(at('runs/report.html'))).toBe(true);
  });
});
