import { Command } from '@commander-js/extra-typings';
import { InvalidOptionError } from '@teamfuse/core';
import Table from 'cli-table3';
import { policyOf } from '../replay/policy.ts';
import { readLabels } from '../tune/labels.ts';
import { Player, settingsOn } from '../tune/player.ts';
import { policyText } from '../tune/policy-text.ts';
import type { Score } from '../tune/score.ts';
import { sweep, type Trial } from '../tune/sweep.ts';
import { EXIT } from './exit-codes.ts';
import { jobOf, withJobOptions } from './job-options.ts';
import { writeOutput } from './write-output.ts';

/** `teamfuse tune`. `done` is given the exit code. */
export function tuneCommand(done: (exitCode: number) => void): Command<[string[]]> {
  const described = new Command('tune')
    .description('Try settings of the breaker on recorded conversations, and write a policy.')
    .argument('<paths...>', 'files or directories of recordings, which are read many times');
  const command = withJobOptions(described)
    .option('--labels <file>', 'which conversations are loops: {"id": "…", "loop": true} a line')
    .option('-o, --output <file>', 'the policy to write', 'teamfuse.toml')
    .option('--force', 'write over a file that is there', false)
    .action(async (paths, { labels: path, output, force, ...options }) => {
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
      console.log(`${output} is written`);
      done(EXIT.clean);
    });
  return command as unknown as Command<[string[]]>;
}

function tableFor(isLabelled: boolean): Table.Table {
  const judged = isLabelled ? ['hits', 'misses', 'false alarms'] : [];
  return new Table({
    head: ['setting', 'trips', 'saved turns', ...judged],
    style: { head: [], border: [] },
    chars: { mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': '' },
  });
}

function cells(score: Score, isLabelled: boolean): number[] {
  const { trips, savedTurns, hits, misses, falseAlarms } = score;
  return isLabelled ? [trips, savedTurns, hits, misses, falseAlarms] : [trips, savedTurns];
}
