import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wilson, withInterval } from '../src/index.ts';

describe('an interval', () => {
  it.each([
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [1, 29, 0.0061, 0.1718],
    [0, 20, 0, 0.1611],
  ])('[EVAL11] of %i in %i is that of the literature', (hits, total, low, high) => {
    expect(wilson(hits, total)[0]).toBeCloseTo(low, 4);
    expect(wilson(hits, total)[1]).toBeCloseTo(high, 4);
  });

  it('[EVAL11] holds the share that was seen, and stays within 0 and 1', () => {
    const counts = fc
      .nat(10_000)
      .chain((total) => fc.tuple(fc.nat(total), fc.constant(Math.max(1, total))));
    fc.assert(
      fc.property(counts, ([hits, total]) => {
        const [low, high] = wilson(hits, total);
        return 0 <= low && low <= hits / total + 1e-9 && hits / total <= high + 1e-9 && high <= 1;
      }),
    );
  });

  it('[EVAL11] of nothing is the whole range', () => {
    expect(wilson(0, 0)).toEqual([0, 1]);
    expect(withInterval(3, 85)).toBe('3 of 85 (1–10 %)');
  });
});
