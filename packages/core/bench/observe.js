// What a signal costs. `npm run bench`; for a quick look `node packages/core/bench/observe.js --signals 200 --runs 3`.
import { parseArgs } from 'node:util';
import { runSuite } from './suite.js';

const { values } = parseArgs({
  options: {
    // A run is shorter than a slice of the scheduler, so that a busy machine spoils few of them.
    signals: { type: 'string', default: '250' },
    runs: { type: 'string', default: '1200' },
    history: { type: 'string', default: '100,1000,100000,1000000' },
  },
});

await runSuite({
  count: Number(values.signals),
  runs: Number(values.runs),
  histories: values.history.split(',').map(Number),
  print: console.log,
});
