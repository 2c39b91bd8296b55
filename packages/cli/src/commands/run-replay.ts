import type { FindingKind } from '@teamfuse/core/detectors';
import { cleanForTerminal, toJsonLine } from '../output/clean.ts';
import { fitted } from '../output/fit.ts';
import { LineWriter } from '../output/line-writer.ts';
import { Progress } from '../output/progress.ts';
import { Summary } from '../output/summary.ts';
import { reportOf } from '../output/trip-report.ts';
import { type ReplayEvent, replayFiles } from '../replay/replay-files.ts';
import type { ReplayJob } from '../replay/replay-job.ts';
import { EXIT, endOf } from './exit-codes.ts';

/** How a replay is shown. */
export interface ShowOptions {
  readonly isJson: boolean;
  /** Whether conversations that did not trip are shown as well. */
  readonly isAll: boolean;
  /** The kinds that count as a failure; all if missing. */
  readonly failOn?: readonly FindingKind[] | undefined;
}

/** Replays the recordings at these paths and shows what came of it. Resolves to the exit code. */
export async function runReplay(
  paths: readonly string[],
  job: ReplayJob,
  { isJson, isAll, failOn }: ShowOptions,
): Promise<number> {
  const { stdout, stderr } = process;
  const out = new LineWriter(stdout, stdout.isTTY);
  const problems = new LineWriter(stderr, true);
  const progress = new Progress(stderr, !stdout.isTTY || !isJson);
  const summary = new Summary();
  const stopping = new AbortController();
  const interrupt = (): void => {
    // A second time the process ends at once, as it would without this.
    if (stopping.signal.aborted) process.exit(EXIT.interrupted);
    stopping.abort();
    process.stdin.destroy();
  };
  process.on('SIGINT', interrupt);
  try {
    for await (const event of replayFiles(paths, job, stopping.signal)) {
      if (out.isClosed) break;
      progress.show(`${summary.conversations.toLocaleString('en')} conversations`);
      const problem = countEvent(event, summary);
      if (problem !== undefined) {
        progress.clear();
        await problems.line(cleanForTerminal(problem));
      }
      if (event.kind !== 'replayed') continue;
      job.judge?.check();
      const { replayed } = event;
      if (isJson) await out.line(toJsonLine(replayed));
      else if (isAll || replayed.trips.length > 0) {
        progress.clear();
        await out.line(fitted(reportOf(replayed), stdout.columns));
      }
    }
    progress.clear();
    const { unanswered = '' } = job.judge ?? {};
    const isPartial = stopping.signal.aborted;
    const text = summary.text(isPartial);
    if (!isJson) await out.line(fitted(text, stdout.columns));
    else if (isPartial || summary.broken + summary.failed > 0) await problems.line(text);
    await out.flush();
    if (unanswered !== '') await problems.line(cleanForTerminal(unanswered));
    if (isPartial) return EXIT.interrupted;
  } finally {
    process.off('SIGINT', interrupt);
  }
  if (summary.hasTripped(failOn)) return EXIT.tripped;
  return endOf(summary, job.judge);
}

/** Counts an event, and says what is wrong with the input if it is that. */
export function countEvent(event: ReplayEvent, summary: Summary): string | undefined {
  switch (event.kind) {
    case 'replayed':
      summary.add(event.replayed);
      return undefined;
    case 'skipped':
      summary.skip(event.source);
      return undefined;
    case 'failed':
      summary.failed += 1;
      return event.problem;
    case 'broken':
      summary.broken += event.count;
      return `${event.source}${event.line > 0 ? `:${event.line}` : ''}: ${event.problem}; skipped`;
  }
}
