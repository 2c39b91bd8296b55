import { join } from 'node:path';
import { baselineWins, type PolicyResults } from './baseline-wins.ts';
import { BASELINES } from './baselines.ts';
import { readGold, readTraces } from './read-files.ts';
import { type GoldLabel, runTrace, scoreTraces, type TraceResult } from './score-traces.ts';
import { type Cell, table } from './table.ts';
import { type Trace, toSignals } from './trace.ts';
import { breakerPolicy, firstStop, type Policy } from './watcher.ts';

const OURS = breakerPolicy('teamfuse');

/** A labelled recording. */
export interface LabelledTrace {
  readonly label: GoldLabel;
  readonly trace: Trace;
}

/** Runs labelled recordings past our breaker and the baselines, and prints what came of it. */
export function evalTraces(directory: string, goldFile: string, isJson: boolean): void {
  const labelled = readLabelled(directory, goldFile);
  const results = runAll(labelled, OURS);
  if (!isJson) {
    const rows = results.map((r) => [
      r.id,
      r.outcome,
      r.at,
      r.evident,
      r.kind,
      r.savedTurns,
      r.savedTokens,
    ]);
    const columns = [
      'recording',
      'outcome',
      'at',
      'evident',
      'kind',
      'turns saved',
      'tokens saved',
    ];
    console.log(table([columns, ...rows]));
    const head = [
      'policy',
      'hit',
      'early',
      'late',
      'missed',
      'false trips',
      'median delay',
      'saved',
    ];
    const others = BASELINES.map((policy) => ({ policy, results: runAll(labelled, policy) }));
    const totals = [{ policy: OURS, results }, ...others].map(totalRow);
    console.log(`\n${table([head, ...totals])}\n`);
    console.log(`${baselineWins(results, others, isRight)}\n`);
    console.log(`${table(unlabelledRows(directory, labelled))}\n`);
  }
  console.log(JSON.stringify(scoreTraces(results)));
}

/** Reads the recordings that labels speak of; the unsure ones are left out of all scores. */
export function readLabelled(directory: string, goldFile: string): LabelledTrace[] {
  const labels = readGold(goldFile).filter(({ loop }) => loop !== 'unsure');
  const labelled: LabelledTrace[] = [];
  for (const file of new Set(labels.map((label) => label.file))) {
    const traces = new Map(readTraces(join(directory, file)).map((trace) => [trace.id, trace]));
    for (const label of labels.filter((one) => one.file === file)) {
      const trace = traces.get(label.id);
      if (trace === undefined) throw new Error(`${file} has no recording '${label.id}'`);
      labelled.push({ label, trace });
    }
  }
  return labelled;
}

/** Runs all of them past a policy. */
export function runAll(labelled: readonly LabelledTrace[], policy: Policy): TraceResult[] {
  return labelled.map(({ trace, label }) => runTrace(trace, label, policy));
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

/** How often our breaker stops conversations of which nobody has said more than that their end was right, by file. */
function unlabelledRows(directory: string, labelled: readonly LabelledTrace[]): Cell[][] {
  const rows: Cell[][] = [['recordings with the right end', 'in all', 'stopped']];
  for (const file of new Set(labelled.map(({ label }) => label.file))) {
    const traces = readTraces(join(directory, file)).filter(({ outcome }) => outcome === 'success');
    const stopped = traces.filter((trace) => {
      const signals = toSignals(trace).map(({ signal }) => signal);
      return firstStop(OURS, signals, {}) !== undefined;
    });
    if (traces.length > 0) rows.push([file, traces.length, stopped.length]);
  }
  return rows;
}

function isRight({ outcome }: TraceResult): boolean {
  return outcome === 'hit' || outcome === 'quiet';
}
