import { expect, test } from 'vitest';
import { DeliveryDedup } from '../../src/observe/delivery-dedup.ts';

test('[GCF7] forgets the oldest of more than 4,096 deliveries', () => {
  const dedup = new DeliveryDedup();
  for (let delivery = 0; delivery < 4097; delivery++) expect(dedup.isNew(delivery)).toBe(true);
  expect(dedup.isNew(4096)).toBe(false);
  expect(dedup.isNew(1)).toBe(false);
  expect(dedup.isNew(0)).toBe(true);
});
