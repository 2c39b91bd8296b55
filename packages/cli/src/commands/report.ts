import { Command } from '@commander-js/extra-typings';
import { cleanForTerminal } from '../output/clean.ts';
import { EXIT } from './exit-codes.ts';
import { jobOf, withJobOptions } from './job-options.ts';
import { readAll } from './read-all.ts';
import { writeOutput } from './write-output.ts';

/** `teamfuse report`. `done` is given the exit code. */
export function reportCommand(done: (exitCode: number) => void): Command<[string[]]> {
  const described = new Command('report')
    .description(
      'Replay recorded conversations, and draw what a breaker would have stopped as one page.',
    )
    .argument('<paths...>', 'files or directories of recordings; - for standard input');
  const command = withJobOptions(described)
    .option('-o, --output <file>', 'the file to write', 'report.html')
    .action(async (paths, { output, ...options }) => {
      const job = { ...jobOf(options), isTraced: true };
      const [{ Ranking }, { page }] = await Promise.all([
        import('../report/ranking.ts'),
        import('../report/page.ts'),
      ]);
      const ranking = new Ranking();
      const summary = await readAll(paths, job, (replayed) => ranking.add(replayed));
      const { figures, problems, nothingIn } = summary;
      const { rows, details } = ranking;
      const unread = [problems, nothingIn].filter((text) => text !== '').join('; ');
      writeOutput(output, page({ figures, unread, rows, details }), true);
      console.log(
        cleanForTerminal(
          `${output}: ${figures.tripped} of ${figures.conversations} conversations tripped`,
        ),
      );
      done(problems === '' ? EXIT.clean : EXIT.badInput);
    });
  return command as unknown as Command<[string[]]>;
}
