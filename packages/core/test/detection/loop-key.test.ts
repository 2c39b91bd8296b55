import { describe, expect, it } from 'vitest';
import { Breaker } from '../../src/index.ts';
import type { JsonValue } from '../../src/kit.ts';

/** What comes of six equal calls with these results: the kinds of trips, and what is told of errors. */
function run(
  loopKey: (args: JsonValue) => unknown,
  resultOf: (i: number) => string,
): { readonly trips: string[]; readonly errors: string[] } {
  const tools = { search: { loopKey: loopKey as () => JsonValue } };
  const breaker = new Breaker({ analysis: { tools } });
  const errors: string[] = [];
  const trips: string[] = [];
  breaker.on('error', ({ error }) => errors.push(String(error)));
  breaker.on('trip', ({ kind }) => trips.push(kind));
  for (let i = 0; i < 6; i++) {
    const call = { kind: 'tool-call', at: 1000 * i, agent: 'a', tool: 'search', args: {} } as const;
    breaker.observe({ ...call, result: resultOf(i) });
  }
  return { trips, errors };
}

const news = (i: number): string => `row ${i * 31} of table${i}`;
const cyclic: { self?: unknown } = {};
cyclic.self = cyclic;
const broken = {
  get page(): never {
    throw new Error('no page');
  },
};

const ODD: readonly (readonly [string, () => unknown])[] = [
  [
    'that throws',
    () => {
      throw new Error('not today');
    },
  ],
  ['that gives a promise', async () => 'key'],
  ['that gives a function', () => () => 'key'],
  ['that gives a symbol', () => Symbol('key')],
  ['that gives an object which keeps what it holds', () => new WeakMap()],
  ['that gives a list with a function', () => [() => 'key']],
  ['that gives what refers back to itself', () => cyclic],
  ['that gives what cannot be read', () => broken],
];

describe('a loopKey', () => {
  it.each(ODD)('[LAP16] %s is told, and leaves calls to their results', (_, loopKey) => {
    const { trips, errors } = run(loopKey, news);
    expect(trips).toEqual([]);
    expect(errors).toHaveLength(6);
    expect(run(loopKey, () => 'none').trips).toEqual(['repetition']);
  });

  it('[LAP16] that gives what JSON cannot hold is told by its name', () => {
    const [error] = run(() => () => 'key', news).errors;
    expect(error).toContain("option 'analysis.tools.search.loopKey': expected a key of JSON");
  });

  it.each([
    ['nothing', undefined],
    ['null', null],
    ['no number', Number.NaN],
  ])('[LAP16] that gives %s leaves calls to their results', (_, key) => {
    expect(run(() => key, news)).toEqual({ trips: [], errors: [] });
    expect(
      run(
        () => key,
        () => 'none',
      ).trips,
    ).toEqual(['repetition']);
  });

  it.each<[string, () => unknown]>([
    ['a text', () => 'key'],
    ['an empty text', () => ''],
    ['fields, some of which are missing', () => ({ page: 1, sort: undefined })],
    ['a date', () => new Date(0)],
    ['a big integer', () => 12n],
  ])('[LAP12] decides alone with %s', (_, loopKey) => {
    expect(run(loopKey, news)).toEqual({ trips: ['repetition'], errors: [] });
  });
});
