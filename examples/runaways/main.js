// Runs the classic runaways through real agents, a real model client and real processes, against a model server on the
// loopback: unguarded and guarded with `judge: true`, each with a healthy twin. `--json` prints one line for each instead.

import { measure } from './measure.js';
import { executionStorm } from './scenarios/execution-storm.js';
import { historyDrift } from './scenarios/history-drift.js';
import { nestedCascade } from './scenarios/nested-cascade.js';
import { python } from './scenarios/python.js';
import { roundRobin } from './scenarios/round-robin.js';
import { shortSpeakerCycle, speakerCycle } from './scenarios/speaker-cycle.js';
import { startModelServer } from './server/model-server.js';
import { table } from './table.js';

const scenarios = [
  speakerCycle,
  shortSpeakerCycle,
  executionStorm,
  python,
  nestedCascade,
  historyDrift,
  roundRobin,
];
const isJson = process.argv.includes('--json');

const server = await startModelServer();
const rows = [];
const left = [];
for (const scenario of scenarios) {
  const missing = scenario.missing?.();
  if (missing) {
    left.push(`${scenario.title}: not run, ${missing}`);
    continue;
  }
  for (const twin of [false, true]) {
    const { row, explanation } = await measure(scenario, twin, server);
    rows.push({ ...row, explanation, title: scenario.title, kinds: scenario.kinds });
    if (isJson) console.log(JSON.stringify(row));
  }
}
await server.close();

const runaways = rows.filter(({ twin }) => !twin);
const missed = runaways.filter(({ with: { trip } }) => trip === null);
// A judge says that the team goes in circles, and not how.
const misnamed = runaways.filter(
  ({ kinds, with: { trip } }) =>
    trip !== null && trip.basis !== 'judged' && !kinds.includes(trip.kind),
);
const wronged = rows.filter(
  ({ twin, with: { trip }, withoutJudge }) => twin && (trip !== null || withoutJudge.trip !== null),
);
if (!isJson) {
  console.log(table(rows));
  for (const line of left) console.log(line);
  const { title, explanation } = runaways.find(({ scenario }) => scenario === executionStorm.name);
  console.log(`\n${title}, by explain(trip):\n\n${explanation}\n`);
  console.log(`${judgeLine(rows)}\n`);
  const spent = (key) => runaways.reduce((sum, row) => sum + row[key].usd, 0);
  // In whole percent: what programs print names a temporary directory, which is not as many tokens each time.
  const saved = Math.round(100 * (1 - spent('with') / spent('without')));
  console.log(
    `${runaways.length - missed.length} of ${runaways.length} runaways stopped, ${wronged.length} healthy twins stopped, ` +
      `${saved} % of the cost saved`,
  );
}

function judgeLine(all) {
  const asked = all.filter(({ twin }) => !twin);
  const stopped = asked.filter(({ withoutJudge }) => withoutJudge.trip !== null).length;
  const sum = (pick) => all.reduce((total, row) => total + pick(row), 0);
  const share = sum((row) => row.with.judgeUsd) / sum((row) => row.without.usd);
  const questions = sum((row) => row.with.questions);
  return (
    `the ${questions} questions to the judge cost ${(100 * share).toFixed(1)} % of what all ${all.length} teams spend without ` +
    `a breaker; without a judge ${stopped} of ${asked.length} runaways are stopped`
  );
}

for (const { title, kinds, with: guarded } of misnamed) {
  console.error(`${title}: expected ${kinds.join(' or ')}, was ${guarded.trip.kind}`);
}
process.exitCode = missed.length + misnamed.length + wronged.length === 0 ? 0 : 1;
