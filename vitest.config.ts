import { availableParallelism } from 'node:os';
import { defaultServerConditions } from 'vite';
import { defineConfig } from 'vitest/config';
import { ShortReport } from './test/short-report.ts';

// Node does not know `module`: what packages name so may be for bundlers alone.
const ofNode = defaultServerConditions.filter((condition) => condition !== 'module');
const conditions = ['@teamfuse/source', ...ofNode];

/** Tests that start our programs, as users get them. */
const PROGRAMS = ['packages/{cli,autogen/conformance}/test/**/*.test.ts'];
/** What `npm test` leaves out: tests at full size, those with servers, browsers and many processes, and those that measure time. */
const SLOW = [
  '{packages,test,docs,examples}/**/*.slow.test.ts',
  'docs/test/documents.test.ts',
  'examples/runaways/test/**/*.test.ts',
  'packages/adapter-agentchat/test/taps/cut-streams.test.ts',
  'packages/adapter-mastra/test/**/*.test.ts',
  'packages/autogen/conformance/test/{guarded,command/**/*}.test.ts',
  'packages/cli/test/{gateway/{gateway,shared-budget},report/browser,replay/threads}.test.ts',
  'packages/clients/test/{agents,autogen/recorded-autogen}.test.ts',
  'packages/code-executors/test/docker/**/*.test.ts',
  'packages/code-executors/test/{attacks,runaway-programs}.test.ts',
  'packages/models/test/openai/event-loop.test.ts',
  'packages/recorder/test/killed.test.ts',
  'packages/stores/test/{postgres/**/*,redis/**/*,server/leases-at-random,sqlite/sharing}.test.ts',
  'packages/testing/test/contracts/analyzer-contract.test.ts',
  'packages/tokens/test/byte-pair-counter.test.ts',
  'packages/wire/test/cost.test.ts',
  'test/hostile/*.test.ts',
];
const NEVER = ['**/node_modules/**'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    // For tests that hang. Some start programs or fold ten thousands of signals: a busy machine takes its time over them.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // Tests provoke warnings, and hear of them as `warning` events.
    execArgv: ['--no-warnings'],
    reporters: [new ShortReport()],
    silent: 'passed-only',
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
          exclude: [...PROGRAMS, ...SLOW, ...NEVER],
        },
      },
      {
        extends: true,
        test: {
          name: 'programs',
          include: PROGRAMS,
          exclude: [...SLOW, ...NEVER],
          globalSetup: 'test/build-programs.ts',
        },
      },
      {
        extends: true,
        test: {
          name: 'slow',
          include: SLOW,
          exclude: NEVER,
          globalSetup: 'test/build-programs.ts',
        },
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
