import { defineConfig } from 'vitest/config';
import config from '../../vitest.config.ts';
import { MatrixTally } from '../matrix-tally.ts';

/** The tests of an adapter in a room of their own, which `npm run matrix` furnishes. */
export default defineConfig({
  ...config,
  test: {
    testTimeout: 120_000,
    hookTimeout: 120_000,
    isolate: false,
    include: ['test/**/*.test.ts'],
    reporters: [new MatrixTally()],
    // They name the files that were imported, of which the versions are read.
    experimental: { importDurations: { limit: 10_000 } },
  },
});
