import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { LocalCommandLineCodeExecutor } from '../src/index.ts';
import { isolations } from './isolation.ts';

const TRIAL = new URL('../attacks/trial.js', import.meta.url).href;
const columns = { required: 1, none: 2 } as const;

/** What the document says about one isolation: each attack, and whether it is held. */
function documented(isolation: keyof typeof columns): Map<string, boolean> {
  const text = readFileSync(new URL('../ATTACKS.md', import.meta.url), 'utf8');
  const rows = [...text.matchAll(/^\| (.+) \| (.+) \| (.+) \|$/gm)]
    .map((row) => row.slice(1))
    .filter((cells) => /held/.test(cells[1] ?? ''));
  return new Map(rows.map((cells) => [cells[0] ?? '', cells[columns[isolation]] === 'held']));
}

/** Tests that every so many-th attack is held as the document says. */
export function testAttacks(every: number): void {
  describe.runIf(process.platform === 'linux')('attacks', () => {
    test.each(isolations)(
      '[PROC7] with isolation %s are held as the document says',
      async (isolation) => {
        const { tryAttacks } = await import(/* @vite-ignore */ TRIAL);
        const tried = [...(await tryAttacks(LocalCommandLineCodeExecutor, isolation, every))];
        const expected = [...documented(isolation)];
        expect(expected).toHaveLength(20);
        expect(tried).toEqual(expected.filter((_, at) => at % every === 0));
      },
    );
  });
}
