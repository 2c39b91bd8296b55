import { Command } from '@commander-js/extra-typings';
import { InvalidOptionError } from '@teamfuse/core';
import Table from 'cli-table3';
import { BadInputError } from '../input/bad-input-error.ts';
import { cleanForTerminal } from '../output/clean.ts';
import { fitted } from '../output/fit.ts';
import { policyOf } from '../replay/policy.ts';
import { readLabels } from '../tune/labels.ts';
import { Player, settingsOn } from '../tune/player.ts';
import { policyText } from '../tune/policy-text.ts';
import type { Score } from '../tune/score.ts';
import { type Setting, type Sweep, sweep, type Trial } from '../tune/sweep.ts';
import { examples } from './examples.ts';
import { EXIT } from './exit-codes.ts';
import { jobOf, withJobOptions } from './job-options.ts';
import { checkOutput, writeOutput } from './write-output.ts';

const EXAMPLES = examples(
  ['teamfuse tune runs/', 'what each setting would stop'],
  ['teamfuse tune runs/ --labels labels.jsonl', 'the settings that make the fewest mistakes'],
);
const WITHOUT_LABELS =
  'Without --labels there is no telling right stops from wrong ones: the detectors keep their settings.';

/** `teamfuse tune`. `done` is given the exit code. */
export function tuneCommand(done: (exitCode: number) => void): Command<[string[]]> {
  const described = new Command('tune')
    .description(
      'Try settings of the breaker on recorded conversations, show what each would stop, and write a policy.',
    )
    .argument('<paths...>', 'files or directories of recordings; they are read several times');
  const command = withJobOptions(described)
    .option(
      '--labels <file>',
      'which conversations are loops: one {"id": "…", "loop": true} per line',
    )
    .option('-o, --output <file>', 'the policy to write', 'teamfuse.toml')
    .option('--force', 'overwrite an existing file')
    .addHelpText('after', EXAMPLES)
    .action(async (paths, { labels: path, output, force = false, ...options }) => {
      if (paths.includes('-')) {
        const sentence = 'tune reads recordings several times: pass files, not standard input (-)';
        throw new InvalidOptionError('paths', 'files', '-', sentence);
      }
      const job = jobOf(options);
      await checkOutput(output, path === undefined ? paths : [...paths, path]);
      const labels = path === undefined ? undefined : readLabels(path);
      const table = tableFor(labels !== undefined);
      const player = new Player(paths, job, labels ?? new Map());
      const told = ({ option, value, score }: Trial): void => {
        table.push([`${option} = ${value}`, ...cells(score, labels !== undefined)]);
      };
      const found = await sweepWith(player, told);
      if (found.base.conversations === 0) {
        const sentence = 'nothing to tune on: no conversations were found';
        if (player.problems !== '') throw new BadInputError(paths.join(' '), sentence);
        throw new InvalidOptionError('paths', 'recordings', paths, sentence);
      }
      const [unused, ...more] = player.unusedLabels;
      if (unused !== undefined) {
        const others = more.length > 0 ? ` and ${more.length} more` : '';
        console.error(cleanForTerminal(`labels that no conversation has: '${unused}'${others}`));
      }
      table.push(['current', ...cells(found.base, labels !== undefined)]);
      if (labels !== undefined) table.push(['chosen', ...cells(found.score, true)]);
      console.log(table.toString());
      const { options: tuned } = policyOf({ ...job, set: settingsOn(job, found.best) });
      writeOutput(output, policyText(tuned, found.score, labels !== undefined), {
        isReplacing: force,
        mode: 0o644,
      });
      const chosen = labels === undefined ? WITHOUT_LABELS : chosenOf(found.best);
      console.log(fitted(`Wrote ${cleanForTerminal(output)}. ${chosen}`, process.stdout.columns));
      done(player.problems === '' ? EXIT.clean : EXIT.badInput);
    });
  return command as unknown as Command<[string[]]>;
}

/** Tries the settings, and ends the threads that do so. */
async function sweepWith(player: Player, told: (trial: Trial) => void): Promise<Sweep> {
  try {
    return await sweep((setting) => player.play(setting), told);
  } finally {
    await player.close();
  }
}

/** What was found, in words. */
function chosenOf(best: Setting): string {
  const settings = Object.entries(best).map(([name, value]) => `${name} = ${value}`);
  return settings.length === 0
    ? 'No tested setting beats the current ones.'
    : `Fewest mistakes: ${settings.join(', ')}.`;
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
