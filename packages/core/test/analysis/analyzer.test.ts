import { expect, test } from 'vitest';
import { Analyzer, type AnalyzerOptions } from '../../src/analysis/analyzer.ts';
import type { Step } from '../../src/analysis/step.ts';
import type { JsonValue } from '../../src/index.ts';
import { wordAt } from '../../src/testing/words.ts';

test('[ANA1] what is said for the first time is progress, and the same again is not', () => {
  const analyzer = new Analyzer();
  const said = { kind: 'message', at: 0, agent: 'a', text: 'The total is 42 euros.' } as const;
  expect(analyzer.observe(said)).toMatchObject({ index: 0, signal: said, isProgress: true });
  expect(analyzer.observe(said)).toMatchObject({ index: 1, signal: said, isProgress: false });
});

function failures(count: number, error: (i: number) => string): readonly Step[] {
  const analyzer = new Analyzer();
  return Array.from({ length: count }, (_, i) => {
    const run = { kind: 'execution', at: i, agent: 'a', language: 'sh', code: `try ${i}` } as const;
    return analyzer.observe({ ...run, exitCode: 1, output: error(i) });
  });
}

test('[ANL3] another kind of error is news, another error of a kind hardly, and the same error none', () => {
  const errors = ["KeyError: 'a'", "KeyError: 'b'", 'ValueError: no digits', "KeyError: 'a'"];
  const idleness = failures(4, (i) => errors[i] as string).map((step) => step.idleness);
  expect(idleness).toEqual([0, 0.25, 0, 1]);
});

test('[ANL3] nobody gets anywhere by ever new errors alone', () => {
  const steps = failures(12, (i) => `cannot find the ${wordAt(i + 40)}`);
  expect(steps[7]?.idleTurns).toBe(0);
  expect(steps[11]?.idleTurns).toBe(1);
});

test('[ANL14] a call adds all of its arguments, whatever the user has declared', () => {
  const text = 'forty characters of text for an argument';
  const call = {
    kind: 'tool-call',
    at: 0,
    agent: 'a',
    tool: 't',
    args: { text },
    result: 1,
  } as const;
  const tokensOf = (options?: AnalyzerOptions): number =>
    new Analyzer(options).observe(call).tokens;
  expect(tokensOf({ tools: { t: { loopKey: () => 'k' } } })).toBeGreaterThan(text.length / 5);
  expect(tokensOf({ volatileFields: ['text'] })).toBeGreaterThan(text.length / 5);
});

test('[ANL14] a call adds its counters to the history, although they are left out of comparing it', () => {
  const analyzer = new Analyzer();
  for (const attemptNumber of [1, 2, 3, 4, 5]) {
    const args = { attemptNumber, text: 'write the same report about the roof again' };
    const call = { kind: 'tool-call', at: 0, agent: 'a', tool: 't', args, result: 1 } as const;
    const { tokens } = analyzer.observe(call);
    expect(tokens).toBeGreaterThanOrEqual(JSON.stringify(args).length / 4);
  }
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
