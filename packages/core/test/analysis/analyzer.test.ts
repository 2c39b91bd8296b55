import { expect, test } from 'vitest';
import { Analyzer } from '../../src/analysis/analyzer.ts';

test('[ANA1] what is said for the first time is progress, and the same again is not', () => {
  const analyzer = new Analyzer();
  const said = { kind: 'message', at: 0, agent: 'a', text: 'The total is 42 euros.' } as const;
  expect(analyzer.observe(said)).toMatchObject({ index: 0, signal: said, isProgress: true });
  expect(analyzer.observe(said)).toMatchObject({ index: 1, signal: said, isProgress: false });
});
