import { expect, test } from 'vitest';
import { Analyzer } from '../../src/analysis/analyzer.ts';
import type { JsonValue } from '../../src/index.ts';

test('[ANA1] what is said for the first time is progress, and the same again is not', () => {
  const analyzer = new Analyzer();
  const said = { kind: 'message', at: 0, agent: 'a', text: 'The total is 42 euros.' } as const;
  expect(analyzer.observe(said)).toMatchObject({ index: 0, signal: said, isProgress: true });
  expect(analyzer.observe(said)).toMatchObject({ index: 1, signal: said, isProgress: false });
});

test('[ANL14] a call adds its arguments and its result to the history, whatever is left out of comparing them', () => {
  const text = 'forty characters of text for an argument';
  const tokensOf = (result: JsonValue): number => {
    const call = {
      kind: 'tool-call',
      at: 0,
      agent: 'a',
      tool: 't',
      args: { text },
      result,
    } as const;
    return new Analyzer().observe(call).tokens;
  };
  const bare = tokensOf(true);
  expect(bare).toBeGreaterThanOrEqual(text.length / 4);
  expect(bare).toBeLessThan(text.length / 2);
  expect(tokensOf({ requestId: text, other: text }) - bare).toBeGreaterThanOrEqual(text.length / 4);
});
