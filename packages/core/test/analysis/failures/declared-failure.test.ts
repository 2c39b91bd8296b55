import { describe, expect, it } from 'vitest';
import { Breaker } from '../../../src/index.ts';
import type { JsonValue } from '../../../src/kit.ts';

describe('an isFailure that fails', () => {
  it.each<[string, (result: JsonValue) => boolean]>([
    [
      'throws',
      () => {
        throw new Error('not today');
      },
    ],
    ['gives a promise', (async () => Promise.reject(new Error('not today'))) as never],
  ])('[STO22] decides nothing and is told if it %s', (_, isFailure) => {
    const breaker = new Breaker({ analysis: { tools: { search: { isFailure } } } });
    const told: string[] = [];
    breaker.on('error', ({ during }) => told.push(during));
    for (const result of ['one', 'two']) {
      const call = {
        kind: 'tool-call',
        at: 0,
        agent: 'a',
        tool: 'search',
        args: {},
        result,
      } as const;
      expect(breaker.observe(call)).toBeUndefined();
    }
    expect(told).toEqual(['detector', 'detector']);
  });
});
