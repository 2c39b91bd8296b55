import { Command } from '@commander-js/extra-typings';
import { InvalidOptionError } from '@teamfuse/core';
import Table from 'cli-table3';
import { cleanForTerminal } from '../output/clean.ts';
import { fitted } from '../output/fit.ts';
import { policyOf } from '../replay/policy.ts';
import { readLabels } from '../tune/labels.ts';
import { Player, settingsOn } from '../tune/player.ts';
import { policyText } from '../tune/policy-text.ts';
import type { Score } from '../tune/score.ts';
import { type Setting, sweep, type Trial } from '../tune/sweep.ts';
import { examples } from './examples.ts';
import { EXIT } from './exit-codes.ts';
import { jobOf, withJobOptions } from './job-options.ts';
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
      const player = new Player(paths, job, labels ?? new Map());
      const told = ({ option, value, score }: Trial): void => {
        table.push([`${option} = ${value}`, ...cells(score, labels !== undefined)]);
      };
      const found = await sweep((setting) => player.play(setting), told).finally(() =>
        player.close(),
      );
      if (found.base.conversations === 0) {
        throw new InvalidOptionError('paths', 'recordings of at least one conversation', paths);
      }
      table.push(['as it was', ...cells(found.base, labels !== undefined)]);
      if (labels !== undefined) table.push(['chosen', ...cells(found.score, true)]);
      console.log(table.toString());
      const { options: tuned } = policyOf({ ...job, set: settingsOn(job, found.best) });
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
