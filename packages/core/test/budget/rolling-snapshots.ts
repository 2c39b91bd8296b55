import { FakeClock } from '@teamfuse/testing';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Breaker } from '../../src/index.ts';
import { modelRequest, usage } from '../support/signals.ts';

const MOST = Number.MAX_SAFE_INTEGER;
const WINDOW = 60_000;

const size = fc.oneof(fc.nat(100), fc.constantFrom(0, 1, MOST - 1, MOST));
const step = fc.record({
  agent: fc.constantFrom('writer', 'critic'),
  requestId: fc.constantFrom(undefined, 'one', 'two'),
  inputTokens: size,
  outputTokens: size,
  costUsd: fc.oneof(fc.double({ min: 0, max: 1e9, noNaN: true }), fc.constantFrom(null, 1e308)),
  isAsked: fc.boolean(),
  isReported: fc.boolean(),
  ms: fc.oneof(
    fc.integer({ min: -WINDOW, max: WINDOW }),
    fc.double({ min: -1e9, max: 1e9, noNaN: true }),
  ),
});

/** Takes over the books after each step of so many runs. */
export function testSnapshots(numRuns: number): void {
  it.each([{}, { windowMs: WINDOW }])(
    '[BUD25] is accepted by another one, whatever was spent and however the clock jumps (%j)',
    (rest) => {
      const purse = { maxUsd: 9e6, maxTokens: MOST };
      const budget = { ...purse, perAgent: purse, agents: { critic: purse }, warnAt: 0.5, ...rest };
      fc.assert(
        fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
          const clock = new FakeClock(1e12);
          const options = { budget, reaction: 'observe', now: clock.now } as const;
          const breaker = new Breaker(options);
          for (const { isAsked, isReported, ms, agent, requestId, ...spent } of steps) {
            const { inputTokens } = spent;
            const call = { at: clock.now(), agent, ...(requestId && { requestId }) };
            const estimatedCostUsd = spent.costUsd;
            if (isAsked) breaker.admit(modelRequest({ ...call, inputTokens, estimatedCostUsd }));
            if (isReported) breaker.observe(usage({ ...call, ...spent }));
            clock.advance(ms);
            const other = new Breaker(options);
            other.restore(JSON.parse(JSON.stringify(breaker.snapshot())));
            expect(other.cost).toEqual(breaker.cost);
          }
        }),
        { numRuns },
      );
    },
  );
}
