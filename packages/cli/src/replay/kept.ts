import type { Signal } from '@teamfuse/core';
import type { Recording } from '../formats/format.ts';
import { type ReplaysOptions, replayAll } from './open-replays.ts';

/** What came of a conversation, without what shows it. */
export interface Outcome {
  readonly id: string;
  readonly turns: number;
  readonly isStopped: boolean;
  readonly savedTurns: number;
}

/** The size of a signal without its texts. */
const SIGNAL_SIZE = 200;

/** Recordings that are read once and replayed many times. */
export class KeptRecordings {
  readonly #max: number;
  #size = 0;
  /** One list for each part; `undefined` once they are too much. */
  #parts: Recording[][] | undefined = [];

  /** @param max how many characters are kept. */
  constructor(max: number) {
    this.#max = max;
  }

  /** The recordings of a part as they come, which are kept. */
  async *keep(recordings: AsyncIterable<Recording>): AsyncGenerator<Recording> {
    const part: Recording[] = [];
    this.#parts?.push(part);
    for await (const recording of recordings) {
      for (const signal of recording.signals) this.#size += sizeOf(signal);
      if (this.#size > this.#max) this.#parts = undefined;
      if (this.#parts !== undefined) part.push(recording);
      yield recording;
    }
  }

  /** What comes of all of them; `undefined` if they were too much to be kept. */
  async outcomes(options: ReplaysOptions): Promise<readonly Outcome[] | undefined> {
    if (this.#parts === undefined) return undefined;
    const outcomes: Outcome[] = [];
    for (const part of this.#parts) {
      for await (const { id, turns, trips, saved } of replayAll(each(part), options)) {
        outcomes.push({ id, turns, isStopped: trips.length > 0, savedTurns: saved.turns });
      }
    }
    return outcomes;
  }
}

async function* each(part: readonly Recording[]): AsyncGenerator<Recording> {
  yield* part;
}

function sizeOf(signal: Signal): number {
  let size = SIGNAL_SIZE;
  for (const value of Object.values(signal)) {
    if (typeof value === 'string') size += value.length;
    else if (typeof value === 'object') size += JSON.stringify(value)?.length ?? 0;
  }
  return size;
}
