import { expect, it } from 'vitest';
import { BY_NAME, HOUR, pursesOf, spending } from './spending.ts';

it('[CAL7] purses of a day take no memory once they are over, in 10,100 days', async () => {
  const { breaker, spend, clock } = spending(BY_NAME, '2026-01-01T12:00:00Z');
  for (let day = 0; day < 10_100; day++, clock.advance(24 * HOUR)) await spend();
  expect(pursesOf(breaker).size).toBeLessThanOrEqual(10_001);
  expect(pursesOf(breaker).has('day:2026-01-01/user:ann')).toBe(false);
});
