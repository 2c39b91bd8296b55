import { defineConfig } from 'vitest/config';
import config from './vitest.config.ts';

/** The tests that Stryker runs for each mutant. It cannot run projects, and slow tests would be run hundreds of times. */
export default defineConfig({
  ...config,
  test: {
    testTimeout: 60_000,
    include: ['packages/core/test/**/*.test.ts'],
    exclude: [
      'packages/core/test/{bench,explain,testing}/**',
      'packages/core/test/detectors/contract.test.ts',
    ],
  },
});
