import { expect, it } from 'vitest';
import { spendMoney } from './money.ts';

it('[BUD22] money is the sum of exact books, in 2,000 conversations', () => {
  const happened = spendMoney(1, 2_000);
  for (const times of Object.values(happened)) expect(times).toBeGreaterThan(1);
});
