import { Command } from '@commander-js/extra-typings';
import { explain, InvalidOptionError } from '@teamfuse/core';
import { cleanForTerminal } from '../output/clean.ts';
import { outcomeOf } from '../output/summary.ts';
import { nameLines } from '../output/trip-report.ts';
import type { Replayed } from '../replay/replay.ts';
import { examples } from './examples.ts';
import { EXIT, endOf } from './exit-codes.ts';
import { jobOf, withJobOptions } from './job-options.ts';
import { judgeAt, withJudgeOptions } from './judge-at.ts';
import { readAll } from './read-all.ts';

const EXAMPLES = examples(
  ['teamfuse explain logs.db', 'every trip in it'],
  ['teamfuse explain logs.db 2', 'the second trip'],
  ['teamfuse explain runs/ "chat 7"', 'the trip of one conversation'],
);

/** `teamfuse explain`. `done` is given the exit code. */
export function explainCommand(
  done: (exitCode: number) => void,
): Command<[string, string | undefined]> {
  const described = new Command('explain')
    .description('Say in plain text why recorded conversations would have been stopped.')
    .argument('<recording>', 'a file or directory of recordings; - for standard input')
    .argument('[trip]', 'the number of a trip, from 1, or the id of its conversation');
  const command = withJudgeOptions(withJobOptions(described))
    .addHelpText('after', EXAMPLES)
    .action(async (recording, trip, options) => {
      let count = 0;
      let shown = 0;
      const job = { ...jobOf(options), judge: await judgeAt(options), isExplained: true };
      const summary = await readAll([recording], job, (replayed) => {
        if (replayed.trips.length === 0) return undefined;
        count += 1;
        if (trip !== undefined && trip !== String(count) && trip !== replayed.id) return undefined;
        shown += 1;
        return explained(replayed, count);
      });
      // What could not be read may hold it.
      const isMissing = shown === 0 && (count > 0 || summary.problems === '');
      if (trip !== undefined && isMissing) {
        const expected = `a trip from 1 to ${count}, or the id of a conversation that tripped`;
        const sentence = count === 0 ? `there is no trip ${trip}: nothing tripped` : undefined;
        throw new InvalidOptionError('trip', expected, trip, sentence);
      }
      if (shown === 0) console.log(outcomeOf(summary.figures));
      done(shown > 0 ? EXIT.tripped : endOf(summary, job.judge));
    });
  return command as unknown as Command<[string, string | undefined]>;
}

function explained(replayed: Replayed, number: number): string {
  const {
    turns,
    trips: [shown],
    trip,
  } = replayed;
  const [name, ...place] = nameLines(replayed).map(cleanForTerminal);
  const title = `${number}. ${name}, turn ${shown?.at} of ${turns}`;
  return [title, ...place, trip === undefined ? '' : explain(trip), ''].join('\n');
}
