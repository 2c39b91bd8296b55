import { readLabelled } from '../conversations/read-labelled.ts';
import { besidePolicies } from '../policies/choose-policies.ts';
import { runTrace, scoreTraces, type TraceResult } from '../scores/score-traces.ts';
import { type EvalOptions, Judging } from './judging.ts';
import { otherWins, type PolicyResults, resultsOf } from './other-wins.ts';
import { type Cell, table } from './table.ts';

const COLUMNS = ['recording', 'outcome', 'at', 'evident', 'kind', 'turns saved', 'tokens saved'];
const TOTALS = ['policy', 'hit', 'early', 'late', 'missed', 'false trips', 'median delay', 'saved'];

/** Runs labelled recordings past our breaker and the other policies, and tells what came of it. */
export async function evalTraces(
  directory: string,
  labelsFile: string,
  { isJson, ...files }: EvalOptions,
): Promise<string> {
  const beside = await besidePolicies(files);
  const labelled = readLabelled(directory, labelsFile);
  const judging = new Judging(files);
  const results: TraceResult[] = [];
  for (const { trace, label } of labelled) {
    const isHealthy = label.loop === false;
    results.push(await judging.run(isHealthy, (policy) => runTrace(trace, label, policy)));
  }
  const last = JSON.stringify({ ...scoreTraces(results), ...judging.finish() });
  if (isJson) return last;
  const others = await resultsOf(beside, labelled, ({ trace, label }, policy) =>
    runTrace(trace, label, policy),
  );
  const all = [{ policy: judging.policy, results }, ...others];
  return [
    table([COLUMNS, ...results.map(rowOf)]),
    table([TOTALS, ...all.map(totalRow)]),
    otherWins(results, others, isRight),
    last,
  ].join('\n\n');
}

function rowOf(result: TraceResult): Cell[] {
  const { id, outcome, at, evident, kind, savedTurns, savedTokens } = result;
  return [id, outcome, at, evident, kind, savedTurns, savedTokens];
}

function totalRow({ policy, results }: PolicyResults<TraceResult>): Cell[] {
  const { hit, loops, early, late, missed, falseTrips, healthy, medianDelay } =
    scoreTraces(results);
  const hits = results.filter(({ outcome }) => outcome === 'hit');
  const turns = hits.reduce((sum, { savedTurns }) => sum + savedTurns, 0);
  const tokens = hits.reduce((sum, { savedTokens }) => sum + savedTokens, 0);
  return [
    policy.name,
    `${hit}/${loops}`,
    early,
    late,
    missed,
    `${falseTrips}/${healthy}`,
    medianDelay,
    `${turns} turns, ${tokens} tokens`,
  ];
}

function isRight({ outcome }: TraceResult): boolean {
  return outcome === 'hit' || outcome === 'quiet';
}
