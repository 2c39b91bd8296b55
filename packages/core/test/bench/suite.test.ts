import { expect, it } from 'vitest';

interface Suite {
  runSuite(options: {
    readonly count: number;
    readonly runs: number;
    readonly histories: readonly number[];
    readonly warmUps: number;
    readonly print: (line: string) => void;
  }): Promise<void>;
}

const SUITE = new URL('../../bench/suite.js', import.meta.url).href;

it('[BEN1] the benchmark runs, gives a figure for each row, and judges them', async () => {
  const { runSuite } = (await import(SUITE)) as Suite;
  const lines: string[] = [];
  const size = { count: 20, runs: 1, histories: [10, 40], warmUps: 2 };
  await runSuite({ ...size, print: (line) => lines.push(line) });
  const rows = lines.slice(2, -1);
  expect(rows).toHaveLength(6);
  for (const row of rows) expect(row).toMatch(/ [1-9]\d* ns /);
  expect(lines.at(-1)).toMatch(/^target (met|missed): /);
});
