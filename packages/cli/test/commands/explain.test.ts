import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { loop, progress, said, writeLines } from '../support/recordings.ts';
import { runHere } from '../support/run.ts';

const folder = mkdtempSync(join(tmpdir(), 'teamfuse-explain-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const lines = [...loop('first', 20), ...progress('fine', 9), ...loop('second', 20)];
const file = writeLines(join(folder, 'two.jsonl'), lines);

describe('teamfuse explain', () => {
  it('[EXPLAIN1] says of every trip why, with the lines that show it and what answers a false alarm', async () => {
    const { code, out } = await runHere(['explain', file]);
    expect(code).toBe(1);
    expect(out.match(/^\d\. .*$/gm)).toEqual([
      `1. first  (${file}), turn 14 of 20`,
      `2. second  (${file}), turn 14 of 20`,
    ]);
    expect(out).toContain('writer  message  I have updated the draft as requested');
    expect(out).toContain('If this was no loop, raise speakerCycle.limit');
  });

  it.each(['2', 'second'])(
    '[EXPLAIN2] explains the one trip that is asked for: %s',
    async (trip) => {
      const { code, out } = await runHere(['explain', file, trip]);
      expect([code, out.match(/^\d\. \w+/gm)]).toEqual([1, ['2. second']]);
    },
  );

  it('[EXPLAIN2] refuses a trip that is none, naming those that are', async () => {
    const { code, err } = await runHere(['explain', file, 'fine']);
    expect([code, err]).toEqual([2, expect.stringContaining('expected a trip from 1 to 2')]);
  });

  it('[EXPLAIN2] ends with 3 where the trip may stand in what cannot be read', async () => {
    const nowhere = join(folder, 'nowhere.jsonl');
    expect(await runHere(['explain', nowhere, '1'])).toMatchObject({
      code: 3,
      err: `${nowhere}: no such file or directory\n`,
    });
    expect(await runHere(['explain', '', '1'])).toMatchObject({
      code: 3,
      err: "'': no such file or directory\n",
    });
  });

  it('[EXPLAIN1] says that nothing tripped, and ends with 0', async () => {
    const fine = writeLines(join(folder, 'fine.jsonl'), progress('fine', 9));
    expect(await runHere(['explain', fine])).toMatchObject({
      code: 0,
      out: 'none of 1 conversations tripped\n',
    });
  });

  it('[EXPLAIN3] shows no key that a recording holds, and nothing that steers the terminal', async () => {
    const text = 'login refused for key sk-proj-abcdef0123456789ABCDEF \u001b[2J\u202E';
    const keys = Array.from({ length: 9 }, (_, i) => said(i, `chat ${text}`, `bot ${text}`, text));
    const { out } = await runHere(['explain', writeLines(join(folder, 'keys.jsonl'), keys)]);
    expect(out).toContain('[redacted]');
    expect(out).not.toMatch(/abcdef0123|(?!\n)\p{Cc}|\p{Cf}/u);
  });
});
