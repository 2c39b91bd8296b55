import { Command } from '@commander-js/extra-typings';
import { InvalidOptionError } from '@teamfuse/core';
import Table from 'cli-table3';
import { cleanForTerminal } from '../output/clean.ts';
import { fitted } from '../output/fit.ts';
import { policyOf } from '../replay/policy.ts';
import type { ReplayJob } from '../replay/replay-job.ts';
import { type Labels, readLabels } from '../tune/labels.ts';
import { policyText } from '../tune/policy-text.ts';
import { type Score, ScoreCounter } from '../tune/score.ts';
import { type Setting, sweep } from '../tune/sweep.ts';
import { examples } from './examples.ts';
import { EXIT } from './exit-codes.ts';
import { jobOf, withJobOptions } from './job-options.ts';
import { readAll } from './read-all.ts';
import { writeOutput } from './write-output.ts';

const EXAMPLES = examples(
  ['teamfuse tune runs/', 'what each setting would stop'],
  ['teamfuse tune runs/ --labels labels.jsonl', 'the settings that are wrong least often'],
);
const WITHOUT_LABELS =
  'Without --labels nobody knows which stops are right: the detectors stay as they are, and maxMessages is chosen.';

/** `teamfuse tune`. `done` is given the exit code. */
export function tuneCommand(done: (exitCode: number) => void): Command<[string[]]> {
  const described = new Command('tune')
    .description(
      'Try settings of the breaker on recorded conversations, show what each would stop, and write a policy.',
    )
    .argument('<paths...>', 'files or directories of recordings, which are read many times');
  const command = withJobOptions(described)
    .option('--labels <file>', 'which conversations are loops: {"id": "…", "loop": true} a line')
    .option('-o, --output <file>', 'the policy to write', 'teamfuse.toml')
    .option('--force', 'write over a file that is there')
    .addHelpText('after', EXAMPLES)
    .action(async (paths, { labels: path, output, force = false, ...options }) => {
      if (paths.includes('-')) {
        throw new InvalidOptionError('paths', 'files, which can be read more than once', '-');
      }
      const job = jobOf(options);
      const labels = path === undefined ? undefined : readLabels(path);
      const table = tableFor(labels !== undefined);
      const play = player(paths, job, labels ?? new Map());
      const found = await sweep(play, ({ option, value, score }) => {
        table.push([`${option} = ${value}`, ...cells(score, labels !== undefined)]);
      });
      if (found.base.conversations === 0) {
        throw new InvalidOptionError('paths', 'recordings of at least one conversation', paths);
      }
      table.push(['as it was', ...cells(found.base, labels !== undefined)]);
      if (labels !== undefined) table.push(['chosen', ...cells(found.score, true)]);
      console.log(table.toString());
      const { options: tuned } = policyOf({ ...job, set: settings(job, found.best) });
      writeOutput(output, policyText(tuned, found.score, labels !== undefined), force);
      const chosen = labels === undefined ? WITHOUT_LABELS : chosenOf(found.best);
      console.log(
        fitted(`${cleanForTerminal(output)} is written. ${chosen}`, process.stdout.columns),
      );
      done(EXIT.clean);
    });
  return command as unknown as Command<[string[]]>;
}

/** What was found, in words. */
function chosenOf(best: Setting): string {
  const settings = Object.entries(best).map(([name, value]) => `${name} = ${value}`);
  return settings.length === 0
    ? 'No other setting of a detector was wrong less often than those that there were.'
    : `Wrong least often: ${settings.join(', ')}.`;
}

/** Replays everything with one setting on top of the job's own. What is broken is said the first time only. */
function player(
  paths: readonly string[],
  job: ReplayJob,
  labels: Labels,
): (setting: Setting) => Promise<Score | undefined> {
  let isFirst = true;
  return async (setting) => {
    const set = settings(job, setting);
    try {
      policyOf({ ...job, set });
    } catch (error) {
      if (error instanceof InvalidOptionError) return undefined;
      throw error;
    }
    const counter = new ScoreCounter(labels);
    await readAll(
      paths,
      { ...job, set },
      (replayed) => {
        counter.add(replayed);
        return undefined;
      },
      !isFirst,
    );
    isFirst = false;
    return counter.score;
  };
}

function settings({ set }: ReplayJob, setting: Setting): readonly string[] {
  return [...set, ...Object.entries(setting).map(([name, value]) => `${name}=${value}`)];
}

function tableFor(isLabelled: boolean): Table.Table {
  const judged = isLabelled ? ['hits', 'misses', 'false\nalarms'] : [];
  return new Table({
    head: ['setting', 'trips', 'saved\nturns', ...judged],
    style: { head: [], border: [] },
    chars: { mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': '' },
  });
}

function cells(score: Score, isLabelled: boolean): number[] {
  const { trips, savedTurns, hits, misses, falseAlarms } = score;
  return isLabelled ? [trips, savedTurns, hits, misses, falseAlarms] : [trips, savedTurns];
}
