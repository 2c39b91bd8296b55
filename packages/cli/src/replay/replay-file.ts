import type { PriceBook } from '@teamfuse/core';
import type { Format } from '../formats/format.ts';
import { BadInputError, UnknownFormatError } from '../input/bad-input-error.ts';
import { readRecordings } from '../read-recordings.ts';
import { replayAll } from './open-replays.ts';
import type { Policy } from './policy.ts';
import type { Replayed } from './replay.ts';

/** What happens while a file is replayed. Plain data, so that it can come from another thread. */
export type FileEvent =
  | { readonly kind: 'replayed'; readonly replayed: Replayed }
  | BrokenEvent
  /** The file cannot be read, or not to its end. */
  | {
      readonly kind: 'failed';
      readonly source: string;
      readonly problem: string;
      /** Whether it is of no known format. */
      readonly isUnknown: boolean;
    };

/** Something in a file that is left out. */
export interface BrokenEvent {
  readonly kind: 'broken';
  readonly source: string;
  /** From 1; 0 where no line is known. */
  readonly line: number;
  readonly problem: string;
  /** How many are left out. */
  readonly count: number;
}

/** What all files are replayed with. */
export interface FileOptions {
  readonly policy: Policy;
  readonly format?: Format | undefined;
  readonly prices?: PriceBook | undefined;
  readonly model?: string | undefined;
  readonly isJudged?: boolean;
  readonly isTraced?: boolean;
  /** Ends the reading; what was read counts. */
  readonly signal?: AbortSignal | undefined;
}

/** Broken lines of a file that are told one by one. */
const MAX_TOLD = 100;

/** Replays all recordings of a file. Never throws because of what the file holds. */
export async function* replayFile(source: string, options: FileOptions): AsyncGenerator<FileEvent> {
  const { policy, format, prices, model, isJudged = false, isTraced = false, signal } = options;
  const problems = new Problems(source);
  const broken = (line: number, problem: string): void => problems.add(line, problem);
  const rejected = (id: string, problem: string): void =>
    broken(0, `conversation ${id}: ${problem}`);
  try {
    const recordings = until(signal, readRecordings(source, { broken, format }));
    for await (const one of replayAll(recordings, {
      policy,
      prices,
      model,
      isJudged,
      isTraced,
      rejected,
    })) {
      yield* problems.take();
      yield { kind: 'replayed', replayed: one };
    }
    yield* problems.rest();
  } catch (error) {
    yield* problems.rest();
    if (signal?.aborted) return;
    const problem = error instanceof BadInputError ? error.message : `${source}: ${String(error)}`;
    yield { kind: 'failed', source, problem, isUnknown: error instanceof UnknownFormatError };
  }
}

/** The values until the signal aborts. */
async function* until<T>(
  signal: AbortSignal | undefined,
  values: AsyncIterable<T>,
): AsyncGenerator<T> {
  for await (const value of values) {
    if (signal?.aborted) return;
    yield value;
  }
}

/** What is broken in a file: the first ones in words, the others counted. */
class Problems {
  readonly #source: string;
  #told = 0;
  #untold = 0;
  #waiting: BrokenEvent[] = [];

  constructor(source: string) {
    this.#source = source;
  }

  add(line: number, problem: string): void {
    this.#told += 1;
    if (this.#told > MAX_TOLD) this.#untold += 1;
    else this.#waiting.push(this.#event(line, problem, 1));
  }

  take(): BrokenEvent[] {
    const waiting = this.#waiting;
    this.#waiting = [];
    return waiting;
  }

  rest(): BrokenEvent[] {
    const more = this.#event(0, `${this.#untold} more lines are broken`, this.#untold);
    return this.#untold > 0 ? [...this.take(), more] : this.take();
  }

  #event(line: number, problem: string, count: number): BrokenEvent {
    return { kind: 'broken', source: this.#source, line, problem, count };
  }
}
