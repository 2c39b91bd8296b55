import { describe } from 'vitest';
import { testTables } from './support/price-tables.ts';

describe('GenaiPriceBook', () => {
  testTables(20);
});
