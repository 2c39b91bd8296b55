import { BoundedMap } from '@teamfuse/core/kit';
import type { Recording } from '../formats/format.ts';
import type { Costliest } from './costliest.ts';
import { Replay, type Replayed, type ReplayOptions } from './replay.ts';
import type { Trace } from './trace.ts';

/** Open conversations of one input; beyond this, the one that was silent longest is closed. */
const MAX_OPEN = 1000;

/** What replays of several conversations need. */
export interface ReplaysOptions extends ReplayOptions {
  /** The conversations to trace in detail. @defaultValue none */
  readonly traced?: Costliest | undefined;
}

/**
 * Replays recordings as they come, and gives what came of each once it is over.
 *
 * Conversations may be mixed with each other: each has a breaker of its own until its input ends.
 */
export async function* replayAll(
  recordings: AsyncIterable<Recording>,
  options: ReplaysOptions,
): AsyncGenerator<Replayed> {
  const { traced } = options;
  const open = new BoundedMap<string, Replay>(MAX_OPEN);
  /** The open ones in the order in which they began. */
  const begun = new Set<Replay>();
  const finish = (replay: Replay): Replayed => {
    begun.delete(replay);
    const replayed = replay.finish();
    const trace = traced?.wants(replayed) ? replay.trace : undefined;
    if (trace === undefined) return replayed;
    traced?.add(replayed);
    return { ...replayed, trace };
  };
  let isRead = false;
  try {
    for await (const recording of recordings) {
      const { id, source, signals, refusals = [], isOpen = false } = recording;
      const known = open.get(id);
      if (known === undefined && signals.length + refusals.length === 0) continue;
      // What is not at hand as a whole, or would cost further questions, cannot be replayed again.
      const isOnce = isOpen || options.isJudged === true;
      const replay = known ?? new Replay(id, source, options, isOnce && traced !== undefined);
      await replay.add(recording);
      open.delete(id);
      if (!isOpen) {
        const isWhole = known === undefined && !isOnce;
        yield isWhole ? await finishWhole(replay, recording, options) : finish(replay);
        continue;
      }
      begun.add(replay);
      const gone = open.set(id, replay);
      if (gone !== undefined) yield finish(gone[1]);
    }
    isRead = true;
    for (const replay of begun) yield finish(replay);
  } catch (error) {
    // What was read of a file that breaks off counts all the same.
    if (!isRead) for (const replay of begun) yield finish(replay);
    throw error;
  }
}

/** Few conversations are shown in detail: one that is at hand as a whole is traced once that is known. */
async function finishWhole(
  replay: Replay,
  recording: Recording,
  options: ReplaysOptions,
): Promise<Replayed> {
  const replayed = replay.finish();
  if (options.traced?.wants(replayed) !== true) return replayed;
  options.traced.add(replayed);
  const { id, source } = recording;
  const again = new Replay(id, source, { ...options, rejected: () => {} }, true);
  await again.add(recording);
  return { ...replayed, trace: again.trace as Trace };
}
