import { fileURLToPath } from 'node:url';
import type { ScenarioScore } from '../scores/score-scenarios.ts';
import type { TraceScore } from '../scores/score-traces.ts';
import { withInterval } from '../scores/wilson.ts';
import { evalOutcomes } from './eval-outcomes.ts';
import { evalScenarios } from './eval-scenarios.ts';
import { evalTraces } from './eval-traces.ts';
import type { EvalOptions } from './judging.ts';

const fixture = (path: string): string =>
  fileURLToPath(new URL(`../../fixtures/${path}`, import.meta.url));
const ANSWERS = fixture('aside-answers.jsonl');

/** A row of a table of figures: what was counted, and it in each column. */
type Row = readonly string[];

/**
 * The tables of figures that the documentation shows, each share with its 95 % interval, as Markdown: conversations that were
 * put away before detection was built, first the talk of the fixtures, then what needs the recordings of `directory`.
 */
export async function evalFigures(directory?: string): Promise<string> {
  const tables = [await talkTable()];
  if (directory !== undefined) tables.unshift(await recordingsTable(directory));
  if (directory !== undefined) tables.push(await outcomesTable(directory));
  return tables.join('\n\n');
}

async function recordingsTable(directory: string): Promise<string> {
  const labels = fixture('aside-labels.jsonl');
  const scores = await withAndWithout<TraceScore>((files) => evalTraces(directory, labels, files));
  const rows = [
    rowOf('loops stopped in time', scores, ({ hit, loops }) => [hit, loops]),
    rowOf('loops stopped at all', scores, ({ missed, loops }) => [loops - missed, loops]),
    rowOf('healthy ones stopped', scores, ({ falseTrips, healthy }) => [falseTrips, healthy]),
  ];
  return table(['recordings', 'without a judge', 'with a judge'], rows);
}

async function talkTable(): Promise<string> {
  const directory = fixture('talk-aside');
  const scores = await withAndWithout<ScenarioScore>((files) => evalScenarios(directory, files));
  const rows = [
    rowOf('dialogues it is right about', scores, ({ passed, total }) => [passed, total]),
    rowOf('pairs of loop and healthy twin won', scores, ({ pairsWon, pairs }) => [pairsWon, pairs]),
    rowOf('healthy ones stopped', scores, ({ falseTrips, pairs }) => [falseTrips, pairs]),
  ];
  return table(['talk in 31 languages', 'without a judge', 'with a judge'], rows);
}

interface OutcomeScore {
  readonly source: string;
  readonly policy: string;
  readonly successes: { readonly runs: number; readonly stopped: number };
  readonly failures: { readonly runs: number; readonly stopped: number };
}

async function outcomesTable(directory: string): Promise<string> {
  const scores = JSON.parse(await evalOutcomes(directory, true)) as OutcomeScore[];
  const rows = scores
    .filter(({ policy, successes }) => policy === 'teamfuse' && successes.runs > 0)
    .map(({ source, successes, failures }) => [
      source,
      withInterval(successes.stopped, successes.runs),
      withInterval(failures.stopped, failures.runs),
    ]);
  return table(['runs with a known end', 'successes stopped', 'failures stopped'], rows);
}

async function withAndWithout<T>(
  run: (options: EvalOptions) => Promise<string>,
): Promise<readonly T[]> {
  const alone = await run({ isJson: true });
  const judged = await run({ isJson: true, answers: ANSWERS });
  return [JSON.parse(alone), JSON.parse(judged)];
}

function rowOf<T>(name: string, scores: readonly T[], of: (score: T) => [number, number]): Row {
  return [name, ...scores.map((score) => withInterval(...of(score)))];
}

function table(head: Row, rows: readonly Row[]): string {
  const line = (cells: Row): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
