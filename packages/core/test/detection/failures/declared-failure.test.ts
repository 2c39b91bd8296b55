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

describe('an isFailure', () => {
  it('[STO22] is asked once for each result, also of a poll that waits', () => {
    const asked: JsonValue[] = [];
    const isFailure = (result: JsonValue): boolean => asked.push(result) < 0;
    const breaker = new Breaker({ analysis: { tools: { status: { isFailure, polls: {} } } } });
    const call = { kind: 'tool-call', agent: 'a', tool: 'status', args: {} } as const;
    for (const at of [0, 1000, 2000]) breaker.observe({ ...call, at, result: `at ${at * 7}` });
    for (const at of [3000, 4000, 5000]) breaker.observe({ ...call, at, result: 'running' });
    expect(asked).toHaveLength(6);
  });
});
