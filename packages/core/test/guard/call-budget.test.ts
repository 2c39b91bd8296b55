import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CallBudget } from '../../src/guard/call-budget.ts';

const amount = fc.record({
  nanoUsd: fc.nat({ max: 2_000_000_000 }),
  tokens: fc.nat({ max: 5000 }),
});
/** A call that is asked for, one that ends, or time that passes. */
const step = fc.oneof(
  fc.record({ kind: fc.constant('ask' as const), amount }),
  fc.record({ kind: fc.constant('end' as const), which: fc.nat(), amount }),
  fc.record({ kind: fc.constant('wait' as const), ms: fc.nat({ max: 400 }) }),
);

describe('the books of guarded calls', () => {
  it('[GFN12] equal a plain sum in whole numbers of any size, within a window and without one', () => {
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 60 }),
        fc.option(fc.integer({ min: 1, max: 1000 }), { nil: undefined }),
        fc.record({ maxUsd: fc.integer({ min: 0, max: 9 }), maxTokens: fc.nat({ max: 20_000 }) }),
        (steps, windowMs, limits) => {
          let now = 0;
          const budget = new CallBudget({ ...limits, ...(windowMs && { windowMs }) }, () => now);
          const open: { readonly end: (actual: Amount) => void; readonly amount: Amount }[] = [];
          const ended: (Amount & { readonly at: number })[] = [];
          const sum = (key: keyof Amount, all: readonly Amount[]): bigint =>
            all.reduce((total, one) => total + BigInt(one[key]), 0n);
          const spent = (): readonly Amount[] =>
            ended.filter(({ at }) => windowMs === undefined || at > now - windowMs);
          for (const one of steps) {
            if (one.kind === 'wait') now += one.ms;
            else if (one.kind === 'end') {
              const [call] = open.splice(one.which % Math.max(1, open.length), 1);
              if (call === undefined) continue;
              call.end(one.amount);
              ended.push({ ...one.amount, at: now });
            } else {
              const all = [...spent(), ...open.map((call) => call.amount)];
              const claims = { nanoUsd: sum('nanoUsd', all), tokens: sum('tokens', all) };
              const most = {
                nanoUsd: BigInt(limits.maxUsd) * 1_000_000_000n,
                tokens: BigInt(limits.maxTokens),
              };
              const isOver = (key: keyof Amount): boolean => {
                const total = claims[key] + BigInt(one.amount[key]);
                return (
                  total > most[key] || (one.amount[key] === 0 && total === most[key] && total > 0n)
                );
              };
              const excess = budget.excess(one.amount);
              expect(excess?.subject).toBe(
                isOver('nanoUsd') ? 'nano-dollars' : isOver('tokens') ? 'tokens' : undefined,
              );
              if (excess === undefined) {
                open.push({ amount: one.amount, end: budget.reserve(one.amount) });
              }
            }
            expect(BigInt(budget.spent.nanoUsd)).toBe(sum('nanoUsd', spent()));
            expect(BigInt(budget.spent.tokens)).toBe(sum('tokens', spent()));
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});

interface Amount {
  readonly nanoUsd: number;
  readonly tokens: number;
}
