import { availableParallelism } from 'node:os';
import { defaultServerConditions } from 'vite';
import { defineConfig } from 'vitest/config';

// Node does not know `module`: what packages name so may be for bundlers alone.
const ofNode = defaultServerConditions.filter((condition) => condition !== 'module');
const conditions = ['@teamfuse/source', ...ofNode];

/** Tests that start our programs, as users get them. */
const PROGRAMS = ['packages/{cli,autogen/conformance}/test/**/*.test.ts'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    // For tests that hang. Some start programs or fold ten thousands of signals: a busy machine takes its time over them.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // Tests provoke warnings, and hear of them as `warning` events.
    execArgv: ['--no-warnings'],
    // One more than there are processors: a worker whose test waits for a program or a server leaves its own to another.
    maxWorkers: availableParallelism() + 1,
    // Half the time went into loading the sources anew for each file. The code keeps no state of its own between files.
    isolate: false,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: [
            'packages/{*,autogen/*}/test/**/*.test.ts',
            'examples/*/test/**/*.test.ts',
            'test/**/*.test.ts',
            'docs/test/**/*.test.ts',
          ],
          exclude: PROGRAMS,
        },
      },
      {
        extends: true,
        test: { name: 'programs', include: PROGRAMS, globalSetup: 'test/build-programs.ts' },
      },
      {
        extends: true,
        test: {
          name: 'types',
          include: [],
          typecheck: {
            enabled: true,
            only: true,
            include: ['packages/{*,autogen/*}/test/**/*.test-d.ts'],
            tsconfig: 'tsconfig.json',
          },
        },
      },
    ],
  },
});
