import { describe, expect, it } from 'vitest';
import { Breaker, InvalidOptionError, type LimitOptions } from '../../src/index.ts';
import { message } from '../support/signals.ts';

describe('limits', () => {
  it('[LIM1] trips with the message that reaches maxMessages', () => {
    const breaker = new Breaker({ maxMessages: 2 });
    expect(breaker.observe(message('a', 'one'))).toBeUndefined();
    expect(breaker.observe({ ...message('b', 'two'), depth: 1 })).toMatchObject({
      kind: 'limit',
      evidence: { count: 2, limit: 2 },
    });
  });

  it('[LIM2] counts only messages of the outermost conversation as turns', () => {
    const breaker = new Breaker({ maxTurns: 2 });
    breaker.observe(message('a', 'one'));
    expect(breaker.observe({ ...message('b', 'inner'), depth: 1 })).toBeUndefined();
    expect(breaker.observe(message('b', 'two'))?.kind).toBe('limit');
  });

  it('[LIM3] trips at the first signal after maxRunMs', () => {
    const breaker = new Breaker({ maxRunMs: 1000 });
    breaker.observe(message('a', 'one', 500));
    expect(breaker.observe(message('b', 'two', 1500))).toBeUndefined();
    expect(breaker.observe(message('a', 'three', 1501))?.kind).toBe('limit');
  });

  it('[LIM3] does not count the time a person was waited for', () => {
    const breaker = new Breaker({ maxRunMs: 1000 });
    breaker.observe(message('a', 'one', 0));
    breaker.observe({ kind: 'human-input', at: 9000, agent: 'p', text: 'go on', waitedMs: 8500 });
    expect(breaker.observe(message('a', 'two', 9500))).toBeUndefined();
  });

  it('[LIM3] does not take a wait off that began before the run', () => {
    const breaker = new Breaker({ maxRunMs: 1000 });
    breaker.observe({ kind: 'human-input', at: 9000, agent: 'p', text: 'start', waitedMs: 8500 });
    expect(breaker.observe(message('a', 'one', 10_001))?.kind).toBe('limit');
  });

  it('[LIM3] takes two waits at the same time for one', () => {
    const breaker = new Breaker({ maxRunMs: 1000 });
    breaker.observe(message('a', 'one', 0));
    for (const agent of ['p', 'q']) {
      breaker.observe({ kind: 'human-input', at: 5000, agent, text: 'go on', waitedMs: 5000 });
    }
    expect(breaker.observe(message('a', 'two', 6001))?.kind).toBe('limit');
  });

  it('[LIM4] trips on a message that is exactly a stop text, by one of those it is heard from', () => {
    const stopTexts = [{ text: 'DONE', from: ['critic'] }];
    const breaker = new Breaker({ stopTexts });
    expect(breaker.observe(message('writer', 'DONE'))).toBeUndefined();
    expect(breaker.observe(message('critic', 'Say DONE when ready'))).toBeUndefined();
    expect(breaker.observe(message('critic', ' DONE\n'))?.kind).toBe('limit');
  });

  it('[LIM5] starts afresh with a new run, while the rest of the breaker goes on', () => {
    const breaker = new Breaker({ maxMessages: 2 });
    breaker.observe(message('a', 'one'));
    breaker.beginRun();
    expect(breaker.observe(message('a', 'two'))).toBeUndefined();
  });

  const bad: readonly (readonly [LimitOptions, string])[] = [
    [{ maxMessages: 0 }, 'maxMessages'],
    [{ maxTurns: 2.5 }, 'maxTurns'],
    [{ maxRunMs: 0 }, 'maxRunMs'],
    [{ stopTexts: [{ text: 7 as unknown as string }] }, 'stopTexts'],
    [{ stopTexts: [{ text: ' ' }] }, 'stopTexts'],
  ];
  it.each(bad)('[LIM6] refuses %j and names the option', (options, option) => {
    expect(() => new Breaker(options)).toThrow(
      expect.objectContaining({ name: InvalidOptionError.name, option }),
    );
  });
});
