import { defineConfig } from 'vitest/config';
import config from '../../vitest.config.ts';
import { ContractTable } from '../contract-table.ts';

/** The contract of adapters, as a table: a line for each rule, a column for each adapter. */
export default defineConfig({
  ...config,
  test: {
    testTimeout: 60_000,
    include: ['packages/adapter-*/test/contract{,.slow}.test.ts'],
    reporters: [new ContractTable()],
  },
});
