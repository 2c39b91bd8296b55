import { Command } from '@commander-js/extra-typings';
import { cleanForTerminal } from '../output/clean.ts';
import { fitted } from '../output/fit.ts';
import { Ranking } from '../report/ranking.ts';
import { examples } from './examples.ts';
import { endOf } from './exit-codes.ts';
import { jobOf, withJobOptions } from './job-options.ts';
import { judgeAt, withJudgeOptions } from './judge-at.ts';
import { readAll } from './read-all.ts';
import { checkOutput, writeOutput } from './write-output.ts';

const EXAMPLES = examples(
  ['teamfuse report runs/ -o report.html', 'one file to open, send or print'],
  [
    'teamfuse report logs.db --model gpt-4o',
    'with the prices of that model where a recording names none',
  ],
);

/** A report quotes what was said. */
const PRIVATE = { isReplacing: true, mode: 0o600 };

/** `teamfuse report`. `done` is given the exit code. */
export function reportCommand(done: (exitCode: number) => void): Command<[string[]]> {
  const described = new Command('report')
    .description(
      'Write a page that shows what a circuit breaker would have stopped in recorded conversations.',
    )
    .argument('<paths...>', 'files or directories of recordings; - for standard input');
  const command = withJudgeOptions(withJobOptions(described))
    .option('-o, --output <file>', 'the page to write', 'report.html')
    .addHelpText('after', EXAMPLES)
    .action(async (paths, { output, ...options }) => {
      const job = { ...jobOf(options), judge: await judgeAt(options), isTraced: true };
      await checkOutput(output, paths);
      // What draws is loaded while threads read.
      const drawing = import('../report/page.ts');
      const ranking = new Ranking();
      const summary = await readAll(paths, job, (replayed) => {
        ranking.add(replayed);
        return undefined;
      });
      const { figures, problems, nothingIn, estimated } = summary;
      const { rows, details } = ranking;
      const unread = [problems, nothingIn].filter((text) => text !== '').join('; ');
      const { headline, page } = await drawing;
      writeOutput(output, page({ figures, unread, estimated, rows, details }), PRIVATE);
      const text = cleanForTerminal(`${output}: ${headline(figures)}`);
      console.log(fitted(text, process.stdout.columns));
      done(endOf(summary, job.judge));
    });
  return command as unknown as Command<[string[]]>;
}
