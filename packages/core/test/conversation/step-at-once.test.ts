import { describe, expect, it } from 'vitest';
import { Breaker, TrippedError } from '../../src/index.ts';
import { runStep } from '../../src/kit.ts';
import { modelRequest } from '../support/signals.ts';

const call = { kind: 'tool-call', agent: 'clerk', at: 0, tool: 'add', args: [1, 2] } as const;

describe('a step whose answer and work are there at once', () => {
  it('[RUN9] gives its result at once, and has reported it', () => {
    const breaker = new Breaker({ now: () => 5 });
    const seen: unknown[] = [];
    breaker.on('signal', ({ signal }) => seen.push(signal));
    expect(runStep(breaker.conversation(''), call, () => 3)).toBe(3);
    expect(seen).toEqual([{ ...call, at: 5, durationMs: 0, result: 3 }]);
  });

  it('[RUN9] throws at once what its work throws', () => {
    const error = new Error('busy');
    const work = (): never => {
      throw error;
    };
    const conversation = new Breaker().conversation('');
    expect(() => runStep(conversation, call, work)).toThrow(error);
    expect(conversation.counters.toolCalls).toBe(1);
  });

  it('[RUN9] throws at once, or gives the fallback at once, where it is refused', () => {
    const conversation = new Breaker().conversation('');
    const trip = conversation.stop('enough');
    const work = (): number => 3;
    expect(() => runStep(conversation, call, work)).toThrow(new TrippedError(trip));
    expect(runStep(conversation, call, work, { fallback: () => 0 })).toBe(0);
  });

  it('[RUN9] hands on what has ended, though the work has stopped the team itself', () => {
    const conversation = new Breaker().conversation('');
    const work = (): number => {
      conversation.stop('enough');
      return 3;
    };
    expect(runStep(conversation, call, work, { fallback: () => 0 })).toBe(3);
  });

  it('[RUN9] frees its reservation at once', () => {
    const conversation = new Breaker({ budget: { maxTokens: 10 } }).conversation('');
    const usage = { inputTokens: 3, outputTokens: 1, costUsd: 0 };
    const request = modelRequest({ inputTokens: 6, requestId: 'r' });
    expect(runStep(conversation, request, () => ({ usage }))).toEqual({ usage });
    const next = modelRequest({ inputTokens: 6, requestId: 's' });
    expect(conversation.admit(next)).toMatchObject({ isAdmitted: true });
  });

  it('[RUN9] has a signal that is made when it is asked for, aborted already if the step is stopped', () => {
    const conversation = new Breaker().conversation('');
    let signal: AbortSignal | undefined;
    runStep(conversation, call, (step) => {
      const trip = conversation.stop('enough');
      signal = step.signal;
      expect(signal.reason).toEqual(new TrippedError(trip));
    });
    expect(signal?.aborted).toBe(true);
  });
});
