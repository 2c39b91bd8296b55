import { baselineWins } from './baseline-wins.ts';
import { BASELINES } from './baselines.ts';
import { readScenarios } from './read-files.ts';
import { runScenario, scoreScenarios } from './score-scenarios.ts';
import { table } from './table.ts';
import { breakerPolicy } from './watcher.ts';

const OURS = breakerPolicy('teamfuse');

/** Runs the scenarios of a directory past our breaker and the baselines, and prints what came of it. */
export function evalScenarios(directory: string, isJson: boolean): void {
  const scenarios = readScenarios(directory);
  const results = scenarios.map((scenario) => runScenario(scenario, OURS));
  const score = scoreScenarios(scenarios, results);
  if (!isJson) {
    const rows = results.map(({ id, outcome, at, kind, window }) => [
      id,
      outcome,
      at,
      kind,
      window === null ? '-' : window.join('-'),
    ]);
    console.log(table([['scenario', 'outcome', 'at', 'kind', 'window'], ...rows]));
    const head = [
      'policy',
      'passed',
      'missed',
      'false trips',
      'outside',
      'wrong kind',
      'pairs won',
    ];
    const others = BASELINES.map((policy) => ({
      policy,
      results: scenarios.map((scenario) => runScenario(scenario, policy)),
    }));
    const totals = [{ policy: OURS, results }, ...others].map(({ policy, results: own }) => {
      const s = scoreScenarios(scenarios, own);
      return [
        policy.name,
        `${s.passed}/${s.total}`,
        s.missed,
        s.falseTrips,
        s.outsideWindow,
        s.wrongKind,
        `${s.pairsWon}/${s.pairs}`,
      ];
    });
    console.log(`\n${table([head, ...totals])}\n`);
    console.log(`${baselineWins(results, others, ({ outcome }) => outcome === 'passed')}\n`);
  }
  console.log(JSON.stringify(score));
}
