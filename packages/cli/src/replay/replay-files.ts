import { BadInputError } from '../input/bad-input-error.ts';
import { type FoundFile, findFiles } from '../input/find-files.ts';
import type { FileEvent } from './file-event.ts';
import { isCuttable, partsOf } from './parts.ts';
import { replayPart } from './replay-file.ts';
import { type ReplayJob, toFileOptions } from './replay-job.ts';
import type { Rerun } from './rerun.ts';
import { joinRotated, type ReplayFile } from './rotated.ts';
import { replayInThreads } from './threads/in-order.ts';
import { ThreadPool } from './threads/thread-pool.ts';

/** Below this size a thread takes longer to start than it saves. */
const MIN_THREADED_BYTES = 4 * 1024 * 1024;

/** Something that happened in one of several files. */
export type ReplayEvent = FileEvent | { readonly kind: 'skipped'; readonly source: string };

/**
 * Replays all recordings at these paths, in the order of the files. Files in a directory that hold no recordings are
 * skipped. With `rerun` they can be replayed again, until it is closed.
 */
export async function* replayFiles(
  paths: readonly string[],
  job: ReplayJob,
  signal: AbortSignal,
  rerun?: Rerun,
): AsyncGenerator<ReplayEvent> {
  const files: FoundFile[] = [];
  for (const path of paths) {
    try {
      for await (const file of findFiles(path)) files.push(file);
    } catch (error) {
      if (!(error instanceof BadInputError)) throw error;
      yield { kind: 'failed', source: path, problem: error.message, isUnknown: false };
    }
  }
  const named = new Set(files.filter(({ isNamed }) => isNamed).map(({ source }) => source));
  const recordings = await joinRotated(files);
  for await (const event of eventsOf(
    recordings,
    { ...job, maxKept: rerun?.maxKept },
    signal,
    rerun,
  )) {
    const isStray = event.kind === 'failed' && event.isUnknown && !named.has(event.source);
    yield isStray ? { kind: 'skipped', source: event.source } : event;
  }
}

async function* eventsOf(
  files: readonly ReplayFile[],
  job: ReplayJob,
  signal: AbortSignal,
  rerun?: Rerun,
): AsyncGenerator<FileEvent> {
  if (await isThreaded(files, job)) {
    // What cannot be used is said before a thread starts.
    if (job.model !== undefined || job.map !== undefined) await toFileOptions(job);
    const pool = new ThreadPool(job);
    rerun?.readBy({ pool });
    try {
      yield* replayInThreads(partsOf(files), pool, signal);
    } finally {
      if (rerun === undefined) await pool.close();
    }
    return;
  }
  const options = { ...(await toFileOptions({ ...job, threads: 1 })), signal };
  rerun?.readBy({ options });
  for (const { source, older } of files) {
    if (signal.aborted) return;
    yield* replayPart({ source, older }, options);
  }
}

async function isThreaded(files: readonly ReplayFile[], job: ReplayJob): Promise<boolean> {
  const [first] = files;
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  if (first === undefined || bytes < MIN_THREADED_BYTES || job.threads < 2) return false;
  if (job.judge !== undefined || files.some(({ source }) => source === '-')) return false;
  return files.length > 1 || isCuttable(first);
}
