import { defineConfig } from 'vitest/config';
import { ContractTable } from './test/contract-table.ts';
import config from './vitest.config.ts';

/** The contract of adapters, as a table: a line for each rule, a column for each adapter. */
export default defineConfig({
  ...config,
  test: {
    testTimeout: 60_000,
    include: ['packages/adapter-*/test/contract{,.slow}.test.ts'],
    reporters: [new ContractTable()],
  },
});
