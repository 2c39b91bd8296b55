import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type TurnSignal, turnSignals } from '@teamfuse/cli';
import { readTraces } from '../conversations/read-files.ts';
import type { Trace } from '../conversations/trace.ts';
import { BASELINES } from '../scores/baselines.ts';
import { savedBy } from '../scores/score-traces.ts';
import { breakerPolicy, firstStop, type Policy } from '../scores/watcher.ts';
import { type Cell, table } from './table.ts';

const ENDING = '.jsonl.gz';
const POLICIES = [breakerPolicy('teamfuse'), ...BASELINES];

/** What a policy did to the runs of one source that ended in one way. */
interface OutcomeScore {
  readonly runs: number;
  readonly stopped: number;
  /** The shares of all turns, and of all tokens in them, that the stops would have saved. */
  readonly savedTurns: number;
  readonly savedTokens: number;
}

/** What a policy did to the runs of one source. */
interface SourceScore {
  readonly source: string;
  readonly policy: string;
  readonly successes: OutcomeScore;
  readonly failures: OutcomeScore;
}

interface Run {
  readonly trace: Trace;
  readonly signals: readonly TurnSignal[];
}

/**
 * Runs recordings whose outcome is known past our breaker and the simple rules. A successful run that is stopped is harm,
 * whatever it was doing; a failing run that is stopped has its remaining turns saved.
 */
export async function evalOutcomes(directory: string, isJson: boolean): Promise<string> {
  const scores: SourceScore[] = [];
  for (const name of readdirSync(directory).sort()) {
    if (!name.endsWith(ENDING)) continue;
    const source = name.slice(0, -ENDING.length);
    const traces = readTraces(join(directory, name));
    const successes = runsOf(traces, 'success');
    const failures = runsOf(traces, 'fail');
    if (successes.length + failures.length === 0) continue;
    for (const policy of POLICIES) {
      scores.push({
        source,
        policy: policy.name,
        successes: await scoreRuns(successes, policy),
        failures: await scoreRuns(failures, policy),
      });
    }
  }
  const last = JSON.stringify(scores);
  return isJson ? last : `${table([HEAD, ...scores.map(rowOf)])}\n\n${last}`;
}

function runsOf(traces: readonly Trace[], outcome: string): Run[] {
  const runs = traces.filter((trace) => trace.outcome === outcome);
  return runs.map((trace) => ({ trace, signals: turnSignals(trace.turns) }));
}

async function scoreRuns(runs: readonly Run[], policy: Policy): Promise<OutcomeScore> {
  let stopped = 0;
  let turns = 0;
  let tokens = 0;
  let savedTurns = 0;
  let savedTokens = 0;
  for (const { trace, signals } of runs) {
    const plain = signals.map(({ signal }) => signal);
    const stop = await firstStop(policy, plain, {});
    const whole = savedBy(trace, -1);
    turns += whole.turns;
    tokens += whole.tokens;
    if (stop === undefined) continue;
    const saved = savedBy(trace, signals[stop.index]?.turn ?? 0);
    stopped++;
    savedTurns += saved.turns;
    savedTokens += saved.tokens;
  }
  return {
    runs: runs.length,
    stopped,
    savedTurns: share(savedTurns, turns),
    savedTokens: share(savedTokens, tokens),
  };
}

const HEAD = [
  'source',
  'policy',
  'successes stopped',
  'failures stopped',
  'their turns saved',
  'their tokens saved',
];

function rowOf({ source, policy, successes, failures }: SourceScore): Cell[] {
  return [
    source,
    policy,
    ofAll(successes),
    ofAll(failures),
    percent(failures.savedTurns),
    percent(failures.savedTokens),
  ];
}

function ofAll({ stopped, runs }: OutcomeScore): string {
  return runs === 0 ? '-' : `${stopped} of ${runs}, ${percent(share(stopped, runs))}`;
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((1000 * part) / whole) / 1000;
}

function percent(value: number): string {
  return `${(100 * value).toFixed(1)} %`;
}
