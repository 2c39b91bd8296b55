import { PACKAGE, ROOMS } from '../../scripts/mutation-rooms.js';

/** `npm run mutate` runs this for each package; the variable `MUTATED_PACKAGE` names it. */
export default {
  plugins: ['@stryker-mutator/vitest-runner'],
  testRunner: 'vitest',
  vitest: { configFile: 'test/configs/vitest.mutation.config.ts', related: false },
  tsconfigFile: 'no-such-file.json',
  mutate: ROOMS[PACKAGE],
  // Core is the largest, with weights in it that only measurements on recorded conversations can tell apart.
  thresholds: { high: 95, low: 90, break: PACKAGE === 'core' ? 85 : 88 },
  concurrency: 2,
  timeoutMS: 30_000,
  timeoutFactor: 3,
  ignoreStatic: true,
  reporters: ['progress-append-only', 'clear-text', 'html'],
  htmlReporter: { fileName: `reports/mutation/${PACKAGE}.html` },
  clearTextReporter: { logTests: false, reportTests: false, allowColor: false },
};
