import { cleanForTerminal } from '../output/clean.ts';
import { fitted } from '../output/fit.ts';
import { Progress } from '../output/progress.ts';
import { Summary } from '../output/summary.ts';
import type { Replayed } from '../replay/replay.ts';
import { replayFiles } from '../replay/replay-files.ts';
import type { ReplayJob } from '../replay/replay-job.ts';
import type { Rerun } from '../replay/rerun.ts';
import { countEvent } from './run-replay.ts';

/**
 * Replays the recordings at these paths and hands each on; what `take` answers is printed. What is wrong with them, or
 * unknown, is said on standard error unless it `isQuiet`. With `rerun` they can be replayed again.
 */
export async function readAll(
  paths: readonly string[],
  job: ReplayJob,
  take: (replayed: Replayed) => string | undefined,
  isQuiet = false,
  rerun?: Rerun,
): Promise<Summary> {
  const progress = new Progress(process.stderr, true);
  const summary = new Summary();
  for await (const event of replayFiles(paths, job, new AbortController().signal, rerun)) {
    if (!process.stdout.writable) break;
    progress.show(`${summary.conversations.toLocaleString('en')} conversations`);
    const problem = countEvent(event, summary);
    if (problem !== undefined && !isQuiet) {
      progress.clear();
      console.error(cleanForTerminal(problem));
    }
    job.judge?.check();
    const text = event.kind === 'replayed' ? take(event.replayed) : undefined;
    if (text === undefined) continue;
    progress.clear();
    console.log(fitted(text, process.stdout.columns));
  }
  progress.clear();
  if (summary.nothingIn !== '' && !isQuiet) console.error(summary.nothingIn);
  if (summary.unpriced !== '' && !isQuiet) console.error(summary.unpriced);
  if (job.judge?.unanswered) console.error(cleanForTerminal(job.judge.unanswered));
  return summary;
}
