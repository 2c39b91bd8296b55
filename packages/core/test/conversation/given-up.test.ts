import { describe, expect, it } from 'vitest';
import { Breaker, type Step } from '../../src/index.ts';

const SIDES = 12;

/** Rejects when the step is stopped, as a tool does that heeds its signal. */
function untilStopped({ signal }: Step): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
  });
}

/** Calls a tool many times side by side, each with arguments of its own. */
function callAll(breaker: Breaker, work: (step: Step) => Promise<unknown>, signal?: AbortSignal) {
  const calls = Array.from({ length: SIDES }, (_, id) =>
    breaker.run({ kind: 'tool-call', agent: 'clerk', tool: 'find', args: { id } }, work, {
      signal,
    }),
  );
  return Promise.allSettled(calls);
}

describe('steps that their caller gives up', () => {
  it('[RUN12] are no failures, and count for declared limits', async () => {
    const breaker = new Breaker({ maxToolCalls: SIDES + 1, executionStorm: { maxInARow: 2 } });
    const caller = new AbortController();
    const ended = callAll(breaker, untilStopped, caller.signal);
    caller.abort();
    await ended;
    expect(breaker.conversation().trip).toBeUndefined();
    expect(breaker.counters).toMatchObject({ toolCalls: SIDES, failures: 0 });
    await breaker.run({ kind: 'tool-call', agent: 'clerk', tool: 'find', args: {} }, () => 'it');
    expect(breaker.conversation().trip?.kind).toBe('limit');
  });

  it('[RUN12] have failed if they failed by themselves', async () => {
    const breaker = new Breaker();
    await callAll(breaker, () => Promise.reject(new Error('connection refused')));
    expect(breaker.conversation().trip?.kind).toBe('execution-storm');
  });

  it('[RUN12] are what they were if they ended all the same', async () => {
    const breaker = new Breaker();
    const caller = new AbortController();
    const call = { kind: 'tool-call', agent: 'clerk', tool: 'find', args: {} } as const;
    const signals: unknown[] = [];
    breaker.on('signal', ({ signal }) => signals.push(signal));
    let end = (_: string): void => {};
    const work = new Promise<string>((resolve) => {
      end = resolve;
    });
    const ended = breaker.run(call, () => work, { signal: caller.signal });
    caller.abort();
    await expect(ended).rejects.toThrow();
    end('it');
    await work;
    const times = { at: expect.any(Number), durationMs: expect.any(Number) };
    expect(signals).toEqual([{ ...call, ...times, result: 'it' }]);
  });

  it('[RUN12] are no failures where the caller reports them himself', async () => {
    const breaker = new Breaker({ executionStorm: { maxInARow: 1 } });
    const caller = new AbortController();
    const call = { kind: 'tool-call', agent: 'clerk', tool: 'find', args: {} } as const;
    const report = () => ({ ...call, at: breaker.now(), error: { message: 'no answer' } });
    const ended = breaker.run(call, untilStopped, { signal: caller.signal, report });
    caller.abort();
    await expect(ended).rejects.toThrow();
    expect(breaker.counters).toMatchObject({ toolCalls: 1, failures: 0 });
    expect(breaker.conversation().trip).toBeUndefined();
  });

  it.each([
    ['execution', { kind: 'execution', agent: 'clerk', language: 'sh', code: 'sleep 9' }],
    ['model call', { kind: 'model-request', agent: 'clerk', model: 'small' }],
  ] as const)('[RUN12] are marked, also of an %s', async (_, request) => {
    const breaker = new Breaker();
    const caller = new AbortController();
    const marks: unknown[] = [];
    breaker.on('signal', ({ signal }) => 'isGivenUp' in signal && marks.push(signal.isGivenUp));
    const ended = breaker.run(request, untilStopped, { signal: caller.signal });
    caller.abort();
    await expect(ended).rejects.toThrow();
    expect(marks).toEqual([true]);
  });
});
