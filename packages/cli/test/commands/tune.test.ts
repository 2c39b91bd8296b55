import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadPolicy } from '@teamfuse/config';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { Player } from '../../src/tune/player.ts';
import type { Setting } from '../../src/tune/sweep.ts';
import { loop, progress, writeLines } from '../support/recordings.ts';
import { runHere } from '../support/run.ts';

const folder = mkdtempSync(join(tmpdir(), 'teamfuse-tune-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
/** The first repeats itself to the end; the second stops after three rounds, as a team that ends well may. */
const lines = [...loop('stuck', 60), ...loop('patient', 14), ...progress('fine', 9)];
const file = writeLines(join(folder, 'all.jsonl'), lines);
const labels = join(folder, 'labels.jsonl');
writeFileSync(
  labels,
  [
    '{"id":"stuck","loop":true}',
    '{"id":"patient","loop":false}',
    '',
    '{"id":"fine","loop":false}',
  ].join('\n'),
);

describe('teamfuse tune', () => {
  it('[TUNE1] shows what each setting stops, with hits, misses and false alarms by the labels', async () => {
    const output = join(folder, 'labelled.toml');
    const { code, out } = await runHere(['tune', file, '--labels', labels, '-o', output]);
    expect(code).toBe(0);
    const row = (name: string): number[] => {
      const line = out.split('\n').find((one) => one.includes(name)) ?? '';
      return line.split('│').slice(2, -1).map(Number);
    };
    expect(row('current')).toEqual([2, expect.any(Number), 1, 0, 1]);
    expect(row('sensitivity = high')[4]).toBe(1);
    expect(row('chosen')).toEqual([1, expect.any(Number), 1, 0, 0]);
  });

  it('[TUNE2] writes a policy that loads, and with which the recordings are judged as it says', async () => {
    const output = join(folder, 'labelled.toml');
    const { options } = loadPolicy({ path: output });
    expect(options.maxMessages).toBe(28);
    const { out } = await runHere(['explain', file, '--policy', output]);
    expect(out.match(/^\d\. \w+/gm)).toEqual(['1. stuck']);
    expect(readFileSync(output, 'utf8')).toContain('1 of 1 loops stopped, 0 false alarms');
  });

  it('[TUNE2] keeps the settings that it was given, and the detectors as they are without labels', async () => {
    const output = join(folder, 'plain.toml');
    const { out } = await runHere(['tune', file, '--set', 'budget.maxUsd=6', '-o', output]);
    expect(out).not.toContain('hits');
    expect(out).toContain('Without --labels');
    expect(loadPolicy({ path: output }).options).toEqual({
      budget: { maxUsd: 6 },
      maxMessages: 18,
    });
  });

  it('[TUNE2] sets no maxMessages where no conversation is healthy', async () => {
    const stuck = writeLines(join(folder, 'stuck.jsonl'), loop('stuck', 60));
    const output = join(folder, 'stuck.toml');
    await runHere(['tune', stuck, '-o', output]);
    expect(loadPolicy({ path: output }).options).toEqual({});
  });

  it('[TUNE6] names labels that no conversation has', async () => {
    const others = join(folder, 'others.jsonl');
    writeFileSync(
      others,
      '{"id":"stuck","loop":true}\n{"id":"typo","loop":true}\n{"id":"lost","loop":false}',
    );
    const output = join(folder, 'others.toml');
    const { err } = await runHere(['tune', file, '--labels', others, '-o', output]);
    expect(err).toBe("labels that no conversation has: 'typo' and 1 more\n");
    const { err: none } = await runHere([
      'tune',
      file,
      '--labels',
      labels,
      '-o',
      output,
      '--force',
    ]);
    expect(none).toBe('');
  });

  it('[TUNE4] passes over the mark of UTF-8 in front of labels, and Windows line ends', async () => {
    const marked = join(folder, 'marked.jsonl');
    const text = readFileSync(labels, 'utf8').replaceAll('\n', '\r\n');
    writeFileSync(marked, `\uFEFF${text}`);
    const tuned = async (path: string): Promise<string> => {
      const output = join(folder, 'marked.toml');
      const { out } = await runHere(['tune', file, '--labels', path, '-o', output, '--force']);
      return out;
    };
    expect(await tuned(marked)).toBe(await tuned(labels));
  });

  it('[TUNE7] ends with 3 where something cannot be read, also if that is all', async () => {
    const nowhere = join(folder, 'nowhere.jsonl');
    const output = join(folder, 'part.toml');
    const problem = `${nowhere}: no such file or directory\n`;
    const part = await runHere(['tune', file, nowhere, '-o', output]);
    expect([part.code, part.err, loadPolicy({ path: output }).options]).toEqual([
      3,
      problem,
      { maxMessages: 18 },
    ]);
    expect(await runHere(['tune', nowhere, '-o', output, '--force'])).toMatchObject({
      code: 3,
      err: `${problem}teamfuse: ${nowhere}: nothing to tune on: no conversations were found\n`,
    });
  });

  it('[TUNE3] writes over a file only with --force', async () => {
    const output = join(folder, 'mine.toml');
    writeFileSync(output, 'maxMessages = 7\n');
    const refused = await runHere(['tune', file, '-o', output]);
    expect(refused).toMatchObject({ code: 3, err: expect.stringContaining('--force') });
    expect(readFileSync(output, 'utf8')).toBe('maxMessages = 7\n');
    expect((await runHere(['tune', file, '-o', output, '--force'])).code).toBe(0);
  });

  it.each([
    ['{"id": "a"}', 'wrong.jsonl:1: expected {"id"'],
    ['{"id": "a", "loop": true}\n{', 'wrong.jsonl:2: expected {"id"'],
    ['null', 'wrong.jsonl:1: expected {"id"'],
  ])('[TUNE4] refuses labels that are none, naming the line: %s', async (text, expected) => {
    const wrong = join(folder, 'wrong.jsonl');
    writeFileSync(wrong, text);
    const { code, err } = await runHere(['tune', file, '--labels', wrong, '-o', join(folder, 'x')]);
    expect([code, err]).toEqual([3, expect.stringContaining(expected)]);
  });

  it.each([
    ['is not there', 'nowhere.jsonl', 'no such file or directory'],
    ['is a directory', '.', 'expected a file, received a directory'],
  ])('[TUNE4] says so where the file of labels %s', async (_, name, problem) => {
    const labels = join(folder, name);
    const { code, err } = await runHere(['tune', file, '--labels', labels]);
    expect([code, err]).toEqual([3, expect.stringContaining(`${labels}: ${problem}`)]);
  });

  it('[TUNE5] reads recordings once, or says that they do not fit into memory', async () => {
    const copy = writeLines(join(folder, 'copy.jsonl'), lines);
    const job = { set: [], threads: 1 };
    const told = vi.spyOn(console, 'error').mockImplementation(() => {});
    const [kept, tooLarge] = [1e6, 100].map((max) => new Player([copy], job, new Map(), max));
    const play = (setting: Setting) => Promise.all([kept?.play(setting), tooLarge?.play(setting)]);
    const [first, second] = [await play({}), await play({ 'repetition.limit': 2 })];
    expect(first[0]).toEqual(first[1]);
    expect(second[0]).toEqual(second[1]);
    expect(told.mock.calls).toEqual([[expect.stringContaining('do not fit into memory')]]);
    told.mockRestore();
    rmSync(copy);
    expect(await kept?.play({})).toEqual(first[0]);
    await kept?.close();
  });

  it('[TUNE4] refuses standard input, which cannot be read twice', async () => {
    const { code, err } = await runHere(['tune', '-']);
    expect([code, err]).toEqual([2, expect.stringContaining('pass files, not standard input')]);
  });
});
