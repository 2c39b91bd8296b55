import { fileURLToPath } from 'node:url';
import { readSources } from '../conversations/read-sources.ts';
import { AS_RECORDED } from '../conversations/tellings.ts';
import { OURS } from '../policies/choose-policies.ts';
import { scoreOutcomes } from '../scores/score-outcomes.ts';
import type { ScenarioScore } from '../scores/score-scenarios.ts';
import type { TraceScore } from '../scores/score-traces.ts';
import { breakerPolicy } from '../scores/watcher.ts';
import { withInterval } from '../scores/wilson.ts';
import { evalScenarios } from './eval-scenarios.ts';
import { evalTraces } from './eval-traces.ts';
import type { EvalOptions, JudgeScore } from './judging.ts';

const fixture = (path: string): string =>
  fileURLToPath(new URL(`../../fixtures/${path}`, import.meta.url));
const ANSWERS = fixture('aside/answers.jsonl');
/** The day on which conversations were set aside, and what scripts there were: the folder, and its name in the documentation. */
const ASIDE = [
  {
    day: '2026-11-28',
    scripts: [
      ['work', 'tool work'],
      ['talk', 'talk'],
    ],
  },
  {
    day: '2026-11-23',
    scripts: [
      ['work', 'tool work'],
      ['talk', 'talk'],
    ],
  },
  { day: '2026-11-22', scripts: [['talk', 'talk in 31 languages']] },
] as const;

/** A score, and where there was a judge, what it was asked. */
type Judged<T> = T & Partial<JudgeScore>;

/** A row of a table of figures: what was counted, and it in each column. */
type Row = readonly string[];

/**
 * The tables of figures that the documentation shows, each share with its 95 % interval, as Markdown: conversations that were
 * set aside before detection was built. Without a `directory` of recordings, it holds the scripts of the fixtures alone.
 */
export async function evalFigures(directory?: string): Promise<string> {
  const tables: string[] = [];
  if (directory !== undefined) {
    for (const { day } of ASIDE) tables.push(await recordingsTable(directory, day));
  }
  for (const { day, scripts } of ASIDE) {
    for (const [folder, name] of scripts) tables.push(await scriptsTable(day, folder, name));
  }
  if (directory !== undefined) tables.push(await outcomesTable(directory));
  return tables.join('\n\n');
}

async function recordingsTable(directory: string, day: string): Promise<string> {
  const labels = fixture(`aside/${day}/labels.jsonl`);
  const scores = await withAndWithout<TraceScore>((files) => evalTraces(directory, labels, files));
  const rows = [
    rowOf('loops stopped in time', scores, ({ hit, loops }) => [hit, loops]),
    rowOf('loops stopped at all', scores, ({ missed, loops }) => [loops - missed, loops]),
    rowOf('healthy ones stopped', scores, ({ falseTrips, healthy }) => [falseTrips, healthy]),
    questionsOf(scores),
  ];
  return table([`recordings, ${day}`, 'without a judge', 'with a judge'], rows);
}

async function scriptsTable(day: string, folder: string, name: string): Promise<string> {
  const directory = fixture(`aside/${day}/${folder}`);
  const scores = await withAndWithout<ScenarioScore>((files) => evalScenarios(directory, files));
  const rows = [
    rowOf('conversations it is right about', scores, ({ passed, total }) => [passed, total]),
    rowOf('pairs of loop and healthy twin won', scores, ({ pairsWon, pairs }) => [pairsWon, pairs]),
    rowOf('loops stopped at all', scores, ({ missed, pairs }) => [pairs - missed, pairs]),
    rowOf('healthy ones stopped', scores, ({ falseTrips, pairs }) => [falseTrips, pairs]),
    questionsOf(scores),
  ];
  return table([`${name}, ${day}`, 'without a judge', 'with a judge'], rows);
}

async function outcomesTable(directory: string): Promise<string> {
  const rows: Row[] = [];
  for (const source of readSources(directory)) {
    const scores = await scoreOutcomes(source, [breakerPolicy(OURS)], [AS_RECORDED]);
    for (const { successes, failures } of scores) {
      if (successes.runs === 0) continue;
      rows.push([
        source.name,
        withInterval(successes.stopped, successes.runs),
        withInterval(failures.stopped, failures.runs),
      ]);
    }
  }
  return table(['runs with a known end', 'successes stopped', 'failures stopped'], rows);
}

async function withAndWithout<T>(
  run: (options: EvalOptions) => Promise<string>,
): Promise<readonly Judged<T>[]> {
  const alone = await run({ isJson: true });
  const judged = await run({ isJson: true, answers: ANSWERS });
  return [JSON.parse(alone), JSON.parse(judged)];
}

function questionsOf(scores: readonly Judged<object>[]): Row {
  const cells = scores.map(({ questionsPerHealthy: count }) => count?.toFixed(1) ?? '');
  return ['questions about a healthy one', ...cells];
}

function rowOf<T>(name: string, scores: readonly T[], of: (score: T) => [number, number]): Row {
  return [name, ...scores.map((score) => withInterval(...of(score)))];
}

function table(head: Row, rows: readonly Row[]): string {
  const line = (cells: Row): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
