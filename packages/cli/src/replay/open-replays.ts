import type { Recording } from '../formats/format.ts';
import { Replay, type Replayed, type ReplayOptions } from './replay.ts';

/** Conversations of one input that are told in turn; beyond so many, the one that was silent longest is over. */
const MAX_OPEN = 1000;

/**
 * Replays recordings as they come, and gives what came of each once it is over.
 *
 * Conversations may be mixed with each other: each has a breaker of its own until its input ends.
 */
export async function* replayAll(
  recordings: AsyncIterable<Recording>,
  options: ReplayOptions,
): AsyncGenerator<Replayed> {
  const open = new Map<string, Replay>();
  let isRead = false;
  try {
    for await (const { id, source, signals, isOpen = false } of recordings) {
      const known = open.get(id);
      if (known === undefined && signals.length === 0) continue;
      const replay = known ?? new Replay(id, source, options);
      await replay.add(signals);
      open.delete(id);
      if (!isOpen) {
        yield replay.finish();
        continue;
      }
      open.set(id, replay);
      const [oldest] = open;
      if (open.size > MAX_OPEN && oldest !== undefined) {
        open.delete(oldest[0]);
        yield oldest[1].finish();
      }
    }
    isRead = true;
    for (const replay of open.values()) yield replay.finish();
  } catch (error) {
    // What was read of a file that breaks off counts all the same.
    if (!isRead) for (const replay of open.values()) yield replay.finish();
    throw error;
  }
}
