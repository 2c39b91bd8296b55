import { generateSignals } from '@teamfuse/testing';
import { describe, expect, it } from 'vitest';
import { Breaker, type BreakerOptions, type Signal } from '../../src/index.ts';
import type { ToolCallRequest } from '../../src/kit.ts';

const SEARCH: Omit<ToolCallRequest, 'at'> = {
  kind: 'tool-call',
  agent: 'clerk',
  tool: 'search',
  args: { q: 'tides' },
};

/** A breaker that was told of this call at these times, each with the same result. */
function told(times: readonly number[], options: BreakerOptions = {}): Breaker {
  const breaker = new Breaker({ now: () => 0, ...options });
  for (const at of times) breaker.observe({ ...SEARCH, at, result: 'nothing' } as Signal);
  return breaker;
}

function isAdmitted(breaker: Breaker, at: number): boolean {
  const admission = breaker.admit({ ...SEARCH, at });
  return 'isAdmitted' in admission && admission.isAdmitted;
}

describe('a tool call that is asked for', () => {
  it('[BRK32] is refused before it is made if it would complete a loop', () => {
    const breaker = told([0, 1000]);
    const conversation = breaker.conversation('');
    expect(breaker.admit({ ...SEARCH, at: 2000 })).toMatchObject({
      isAdmitted: false,
      trip: {
        kind: 'repetition',
        basis: 'certain',
        reason:
          "'search' would be called for the third time with the same arguments; the result was the same each time",
        index: 2,
        agents: ['clerk'],
        evidence: { count: 3, limit: 3, indices: [0, 1], subject: 'search' },
      },
    });
    expect(conversation.state.status).toBe('open');
    expect(breaker.counters).toMatchObject({ toolCalls: 2, refusals: 1, trips: 1 });
  });

  it('[BRK32] is admitted if its arguments, its agent or its last result are others', () => {
    for (const change of [{ args: { q: 'Tides' } }, { agent: 'critic' }, { tool: 'find' }]) {
      expect(told([0, 1000]).admit({ ...SEARCH, ...change, at: 2000 })).toMatchObject({
        isAdmitted: true,
      });
    }
    const moved = told([0]);
    moved.observe({ ...SEARCH, at: 1000, result: 'a row' } as Signal);
    expect(isAdmitted(moved, 2000)).toBe(true);
  });

  it('[BRK32] is not taken in, nor does asking change what is found later', () => {
    const signals = generateSignals(5, 400);
    const [asked, unasked] = [new Breaker(), new Breaker()];
    for (const signal of signals) {
      const conversation = asked.conversation('');
      if (signal.kind === 'tool-call' && conversation.state.status === 'closed') {
        const before = JSON.stringify(asked.snapshot());
        const { agent, at, tool, args } = signal;
        const answer = asked.admit({ kind: 'tool-call', agent, at, tool, args });
        if ('isAdmitted' in answer && answer.isAdmitted) {
          expect(JSON.stringify(asked.snapshot())).toBe(before);
        }
      }
      asked.observe(signal);
      unasked.observe(signal);
    }
    expect(asked.snapshot().conversations['']?.analysis).toEqual(
      unasked.snapshot().conversations['']?.analysis,
    );
    expect(asked.counters.trips).toBeGreaterThan(0);
  });

  it('[BRK32] is made after a wait, unless the laps are complete without it', () => {
    expect(isAdmitted(told([0, 1000]), 15_999)).toBe(false);
    expect(isAdmitted(told([0, 1000]), 16_000)).toBe(true);
    const complete = told([0, 1000, 2000], { cooldownMs: 0 });
    expect(isAdmitted(complete, 17_000)).toBe(false);
  });

  it('[BRK32] is made once more where its result is known once, even if two laps are a loop', () => {
    const breaker = told([0], { sensitivity: 'high' });
    expect(isAdmitted(breaker, 1000)).toBe(true);
    expect(breaker.observe({ ...SEARCH, at: 1000, result: 'nothing' } as Signal)?.kind).toBe(
      'repetition',
    );
  });

  it('[LAP8] is made where it is a declared poll that waits, and no longer than that', () => {
    const tools = { search: { polls: { maxWaitMs: 500, minPauseMs: 100 } } };
    const asked = (at: number): boolean => isAdmitted(told([0, 50], { analysis: { tools } }), at);
    expect([149, 150, 500, 501].map(asked)).toEqual([false, true, true, false]);
  });

  it('[BRK32] is made as the probe after a cool-down', () => {
    const breaker = told([0, 1000], { cooldownMs: 5000, now: () => 7000 });
    expect([2000, 6000, 7000].map((at) => isAdmitted(breaker, at))).toEqual([false, false, true]);
  });

  it.each<[string, BreakerOptions]>([
    ['repetition is switched off', { repetition: false }],
    ['repetition is only observed', { reaction: { repetition: 'observe' } }],
    ['repetition only warns', { reaction: 'warn' }],
    ['more laps are allowed', { repetition: { limit: 4 } }],
    ['a poll may wait', { analysis: { tools: { search: { polls: {} } } } }],
    ['all tools may be polled', { analysis: { tools: { '*': { polls: {} } } } }],
    ['calls are forgotten', { analysis: { forgetAfterMs: 1500 } }],
  ])('[BRK32] is made where %s', (_, options) => {
    const breaker = told([0, 1000], options);
    expect(isAdmitted(breaker, 2000)).toBe(true);
    expect(breaker.counters.trips).toBe(0);
  });

  it('[BRK32] is made where its key cannot be read, which is told', () => {
    const loopKey = () => {
      throw new Error('no key');
    };
    const breaker = new Breaker({ analysis: { tools: { search: { loopKey } } } });
    const errors: unknown[] = [];
    breaker.on('error', ({ error }) => errors.push(error));
    expect(isAdmitted(breaker, 0)).toBe(true);
    expect(errors).toMatchObject([{ message: 'no key' }]);
  });
});
