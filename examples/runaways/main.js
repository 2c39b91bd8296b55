// Runs the classic runaways through real agents, a real model client and real processes, against a model server on the
// loopback: unguarded and guarded with `judge: true`, each with a healthy twin. `--details` prints all that was measured,
// `--json` one line for each run instead of the table, `--ladder` tells a team before it stops it; these agents do not listen.

import { measure } from './measure.js';
import { executionStorm } from './scenarios/execution-storm.js';
import { historyDrift } from './scenarios/history-drift.js';
import { nestedCascade } from './scenarios/nested-cascade.js';
import { python } from './scenarios/python.js';
import { roundRobin } from './scenarios/round-robin.js';
import { shortSpeakerCycle, speakerCycle } from './scenarios/speaker-cycle.js';
import { startModelServer } from './server/model-server.js';
import { detailsOf, HEADER, isStopped, rowOf } from './table.js';

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
const say = isJson ? () => {} : (text) => console.log(text);

const rows = [];
say(`\n${HEADER}`);
// Most of the time goes into starting programs: all teams at once use all cores.
const server = await startModelServer();
const reaction = process.argv.includes('--ladder') ? 'ladder' : 'stop';
const pairs = scenarios.map((scenario) => ({ scenario, pair: playPair(scenario) }));
for (const { scenario, pair } of pairs) {
  const played = await pair;
  if (isJson) for (const { line } of played) console.log(line);
  say(played.length === 0 ? notRun(scenario) : rowOf(...played));
  rows.push(...played);
}

await server.close();

const runaways = rows.filter(({ twin }) => !twin);
const missed = runaways.filter((row) => !isStopped(row));
// A judge says that the team goes in circles, and not how.
const misnamed = runaways.filter(
  ({ kinds, with: { trip } }) =>
    trip !== null && trip.basis !== 'judged' && !kinds.includes(trip.kind),
);
const wronged = rows.filter(
  ({ twin, with: { trip }, withoutJudge }) => twin && (trip !== null || withoutJudge.trip !== null),
);
say(captionOf(rows));
if (process.argv.includes('--details')) for (const row of rows) say(`\n${detailsOf(row)}`);
const { title, explanation } = runaways.find(({ scenario }) => scenario === executionStorm.name);
say(`\nWhy '${title}' was stopped, by explain(trip):\n\n${explanation}\n`);
const spent = (key) => runaways.reduce((sum, row) => sum + row[key].usd, 0);
// In whole percent: what programs print names a temporary directory, which is not as many tokens each time.
const saved = Math.floor(100 * (1 - spent('with') / spent('without')));
say(
  `${runaways.length - missed.length} of ${runaways.length} runaways stopped, ${wronged.length} healthy twins stopped, ` +
    `${saved} % of the cost saved`,
);

/** A scenario and its healthy twin; none where something is missing. */
async function playPair(scenario) {
  if (scenario.missing?.()) return [];
  return Promise.all(
    [false, true].map(async (twin) => {
      const { row, explanation } = await measure(scenario, twin, { server, reaction });
      return { ...row, explanation, ...scenario, line: JSON.stringify(row) };
    }),
  );
}

function notRun({ title, missing }) {
  return `${title}: not run, ${missing()}`;
}

function captionOf(all) {
  const asked = all.filter(({ twin }) => !twin);
  const stopped = asked.filter((row) => isStopped({ ...row, with: row.withoutJudge })).length;
  const sum = (pick) => all.reduce((total, row) => total + pick(row), 0);
  const share = sum((row) => row.with.judgeUsd) / sum((row) => row.without.usd);
  const questions = sum((row) => row.with.questions);
  return [
    '',
    '█ is what the team costs with Teamfuse, ░ what is saved.',
    "The judge here is a scripted reader (server/verdict.js), not a model. The rows that say 'judged' are",
    `its own. Its ${questions} questions cost ${(100 * share).toFixed(1)} % of what all teams spend without a breaker.`,
    `Without it, ${stopped} of ${asked.length} runaways are stopped. More: npm run demo -- --details`,
  ].join('\n');
}

for (const { title, kinds, with: guarded } of misnamed) {
  console.error(`${title}: expected ${kinds.join(' or ')}, was ${guarded.trip.kind}`);
}
process.exitCode = missed.length + misnamed.length + wronged.length === 0 ? 0 : 1;
