import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { Breaker } from '../../src/index.ts';
import { CALL } from '../support/calls.ts';
import { modelRequest, usage } from '../support/signals.ts';

describe("steps side by side with one signal of the caller's", () => {
  it('[GATE7] put one listener on it, which goes with the last of them', async () => {
    const breaker = new Breaker();
    const { signal } = new AbortController();
    const ends: ((_: string) => void)[] = [];
    const work = (): Promise<string> => new Promise((resolve) => ends.push(resolve));
    const runs = Array.from({ length: 30 }, (_, i) =>
      breaker.run({ ...CALL, args: { i } }, work, { signal }),
    );
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    for (const [i, end] of ends.entries()) end(`row ${i}`);
    await Promise.all(runs);
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });

  it('[GATE7] all end when it aborts, and those that wait for the budget as well', async () => {
    const breaker = new Breaker({ budget: { maxTokens: 10, whenFull: 'wait' } });
    const caller = new AbortController();
    const { signal } = caller;
    await breaker.admit(modelRequest({ requestId: 'first', inputTokens: 9 }));
    const waits = Array.from({ length: 20 }, (_, i) =>
      breaker.admit(modelRequest({ requestId: `${i}`, inputTokens: 9 }), { signal }),
    );
    const hung = (): Promise<never> => new Promise(() => {});
    const runs = Array.from({ length: 20 }, (_, i) =>
      breaker.run({ ...CALL, args: { i } }, hung, { signal }),
    );
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    caller.abort(new Error('given up'));
    const ends = await Promise.allSettled([...waits, ...runs]);
    expect(ends.map((end) => end.status === 'rejected' && end.reason.message)).toEqual(
      Array(40).fill('given up'),
    );
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
    breaker.observe(usage({ requestId: 'first', inputTokens: 1, outputTokens: 1 }));
    expect(breaker.admit(modelRequest({ requestId: 'x', inputTokens: 5 }))).toMatchObject({
      isAdmitted: true,
    });
  });
});
