import { once } from 'node:events';
import { Command } from '@commander-js/extra-typings';
import { Breaker, type BreakerOptions } from '@teamfuse/core';
import { internalsOf } from '@teamfuse/core/kit';
import { BadInputError } from '../input/bad-input-error.ts';
import { fileProblem } from '../input/file-problem.ts';
import { cleanForTerminal } from '../output/clean.ts';
import { LineWriter } from '../output/line-writer.ts';
import { portOf } from '../watch/port.ts';
import { examples } from './examples.ts';
import { EXIT } from './exit-codes.ts';
import { optionsOfPolicy, withPolicyOptions } from './job-options.ts';

const EXAMPLES = examples([
  'teamfuse watch may.jsonl',
  'prints the address of the page; press Ctrl-C to stop',
]);
const MAX_TOLD = 20;

/** `teamfuse watch`. `done` is given the exit code. */
export function watchCommand(done: (exitCode: number) => void): Command<[string]> {
  const described = new Command('watch')
    .description('Show a recording on a local web page while it grows.')
    .argument(
      '<recording>',
      'a recording of @teamfuse/recorder or teamfuse record; it need not exist yet',
    );
  return withPolicyOptions(described)
    .option('--port <port>', 'the port of the page; 0 for any free one', portOf, 0)
    .addHelpText('after', EXAMPLES)
    .action(async (recording, options) => {
      done(await runWatch(recording, options.port, optionsOfPolicy(options)));
    }) as unknown as Command<[string]>;
}

async function runWatch(recording: string, port: number, policy: BreakerOptions): Promise<number> {
  const { disclosure } = internalsOf(new Breaker(policy));
  const [{ Board }, { FollowedRecording }, { serveBoard }] = await Promise.all([
    import('../watch/board.ts'),
    import('../watch/follow.ts'),
    import('../watch/serve-board.ts'),
  ]);
  const out = new LineWriter(process.stdout, true);
  const problems = new LineWriter(process.stderr, true);
  const stopping = new AbortController();
  const interrupt = (): void => {
    if (stopping.signal.aborted) process.exit(EXIT.interrupted);
    stopping.abort();
  };
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
  const board = new Board();
  let broken = 0;
  const followed = new FollowedRecording(recording, board, disclosure, (line, problem) => {
    broken += 1;
    if (broken > MAX_TOLD) return;
    problems.lineAtOnce(cleanForTerminal(`${recording}:${line}: ${problem}; skipped`));
  });
  const page = await serveBoard(board, followed.changes, { port, isDetached: false });
  try {
    await out.line(`${page.url}\nPress Ctrl-C to stop.`);
    await Promise.race([followed.follow(stopping.signal), aborted(stopping.signal)]);
  } catch (error) {
    throw new BadInputError(recording, fileProblem(error), { cause: error });
  } finally {
    stopping.abort();
    await page.close();
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
  }
  const skipped = broken > 0 ? `; skipped ${broken} broken lines` : '';
  await out.line(`${board.tripped} of ${board.total} conversations tripped${skipped}`);
  return EXIT.clean;
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}
