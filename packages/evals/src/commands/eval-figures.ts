import { fileURLToPath } from 'node:url';
import { playedLogs, playedRecordings, playedScripts } from '../conversations/played-sets.ts';
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
import type { EvalOptions } from './judging.ts';
import { markdown, type Row } from './markdown.ts';
import { type PlayedSet, reactionsTable } from './reactions-table.ts';

const fixture = (path: string): string =>
  fileURLToPath(new URL(`../../fixtures/${path}`, import.meta.url));
const ANSWERS = fixture('aside/answers.jsonl');
/** The day on which conversations were set aside, and what scripts there were: the folder, and its name in the documentation. */
const ASIDE = [
  { day: '2026-11-30', scripts: [['work', 'work and talk']] },
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
  { day: '2026-11-22', scripts: [['talk', 'talk']] },
] as const;
/** The days on which recordings were set aside. */
const RECORDED = ['2026-11-28', '2026-11-23', '2026-11-22'];

/**
 * The tables of figures that the documentation shows, each share with its 95 % interval, as Markdown: conversations that were
 * set aside before detection was built. Without a `directory` of recordings, it holds the scripts of the fixtures alone.
 */
export async function evalFigures(directory?: string): Promise<string> {
  const tables: string[] = [];
  if (directory !== undefined) {
    for (const day of RECORDED) tables.push(await recordingsTable(directory, day));
    tables.push(reactionsTable(RECORDED.map((day) => recordingsOf(directory, day))));
  }
  for (const { day, scripts } of ASIDE) {
    for (const [folder, name] of scripts) tables.push(await scriptsTable(day, folder, name));
  }
  const field = { name: 'logs after public reports', played: await playedLogs(fixture('field')) };
  tables.push(reactionsTable([...ASIDE.flatMap(scriptsOf), field]));
  if (directory !== undefined) tables.push(await outcomesTable(directory));
  return tables.join('\n\n');
}

async function recordingsTable(directory: string, day: string): Promise<string> {
  const labels = labelsOf(day);
  const scores = await withAndWithout<TraceScore>((files) => evalTraces(directory, labels, files));
  const rows = [
    rowOf('loops stopped in time', scores, ({ hit, loops }) => [hit, loops]),
    rowOf('loops stopped at all', scores, ({ missed, loops }) => [loops - missed, loops]),
    rowOf('healthy stopped', scores, ({ falseTrips, healthy }) => [falseTrips, healthy]),
  ];
  return markdown([`recordings, ${day}`, 'without a judge', 'with a judge'], rows);
}

function labelsOf(day: string): string {
  return fixture(`aside/${day}/labels.jsonl`);
}

function recordingsOf(directory: string, day: string): PlayedSet {
  return { name: `recordings, ${day}`, played: playedRecordings(directory, labelsOf(day)) };
}

function scriptsOf({ day, scripts }: (typeof ASIDE)[number]): readonly PlayedSet[] {
  return scripts.map(([folder, name]) => ({
    name: `${name}, ${day}`,
    played: playedScripts(fixture(`aside/${day}/${folder}`)),
  }));
}

async function scriptsTable(day: string, folder: string, name: string): Promise<string> {
  const directory = fixture(`aside/${day}/${folder}`);
  const scores = await withAndWithout<ScenarioScore>((files) => evalScenarios(directory, files));
  const rows = [
    rowOf('pairs won', scores, ({ pairsWon, pairs }) => [pairsWon, pairs]),
    rowOf('loops stopped at all', scores, ({ missed, pairs }) => [pairs - missed, pairs]),
    rowOf('healthy stopped', scores, ({ falseTrips, pairs }) => [falseTrips, pairs]),
  ];
  return markdown([`${name}, ${day}`, 'without a judge', 'with a judge'], rows);
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
  return markdown(['runs with a known end', 'successes stopped', 'failures stopped'], rows);
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
