import { expect, it } from 'vitest';
import { spendMoney } from './money.ts';

it.each([1, 2])('[BUD22] money is the sum of exact books, in 20,000 conversations (%i)', (seed) => {
  const happened = spendMoney(seed, 20_000);
  for (const times of Object.values(happened)) expect(times).toBeGreaterThan(5);
});
