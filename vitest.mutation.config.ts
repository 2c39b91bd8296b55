import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { PACKAGE } from './scripts/mutation-rooms.js';
import config from './vitest.config.ts';

const packages = fileURLToPath(new URL('packages', import.meta.url));

/** The tests that Stryker runs for each mutant. It cannot run projects, and slow tests would be run hundreds of times. */
export default defineConfig({
  ...config,
  resolve: {
    ...config.resolve,
    // Stryker works on a copy, of which node_modules would lead back to the original.
    alias: [
      { find: /^@teamfuse\/([\w-]+)$/, replacement: `${packages}/$1/src/index.ts` },
      {
        find: /^@teamfuse\/([\w-]+)\/testing$/,
        replacement: `${packages}/$1/src/testing/index.ts`,
      },
    ],
  },
  test: {
    testTimeout: 15_000,
    isolate: false,
    include: [`packages/${PACKAGE}/test/**/*.test.ts`],
    exclude: [
      'packages/core/test/{bench,explain,testing}/**',
      'packages/core/test/detectors/contract.test.ts',
      'packages/adapter-kit/test/broken-adapters.test.ts',
      'packages/adapter-*/test/**/{detectors,stop-anywhere,*.property}.test.ts',
    ],
    setupFiles: ['test/without-waits.ts'],
    env: { SIMULATED_STEPS: '20000' },
  },
});
