import { baselineWins, resultsOf } from './baseline-wins.ts';
import { BASELINES } from './baselines.ts';
import { type EvalOptions, Judging } from './judging.ts';
import { readScenarios } from './read-files.ts';
import { runScenario, type ScenarioResult, scoreScenarios } from './score-scenarios.ts';
import { table } from './table.ts';

/** Runs the scenarios of a directory past our breaker and the baselines, and prints what came of it. */
export async function evalScenarios(
  directory: string,
  { isJson, ...files }: EvalOptions,
): Promise<void> {
  const scenarios = readScenarios(directory);
  const judging = new Judging(files);
  const results: ScenarioResult[] = [];
  for (const scenario of scenarios) {
    const isHealthy = scenario.must === 'no-trip';
    results.push(await judging.run(isHealthy, (policy) => runScenario(scenario, policy)));
  }
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
    const others = await resultsOf(BASELINES, scenarios, runScenario);
    const totals = [{ policy: judging.policy, results }, ...others].map(
      ({ policy, results: own }) => {
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
      },
    );
    console.log(`\n${table([head, ...totals])}\n`);
    console.log(`${baselineWins(results, others, ({ outcome }) => outcome === 'passed')}\n`);
  }
  console.log(JSON.stringify({ ...score, ...judging.finish() }));
}
