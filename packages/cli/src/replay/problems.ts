import { BadInputError } from '../input/bad-input-error.ts';
import type { BrokenEvent } from './file-event.ts';

/** Broken lines of a file that are reported one by one. */
const MAX_TOLD = 10;

/** What is broken in a file: the first ones in words, the others counted. */
export class Problems {
  readonly #source: string;
  #told = 0;
  #untold = 0;
  #waiting: BrokenEvent[] = [];

  constructor(source: string) {
    this.#source = source;
  }

  /** @param source where an older file of the recording is broken. */
  add(line: number, problem: string, count = 1, source: string = this.#source): void {
    this.#told += 1;
    if (this.#told > MAX_TOLD) this.#untold += count;
    else this.#waiting.push({ kind: 'broken', source, line, problem, count });
  }

  take(): BrokenEvent[] {
    const waiting = this.#waiting;
    this.#waiting = [];
    return waiting;
  }

  rest(): BrokenEvent[] {
    const count = this.#untold;
    if (count === 0) return this.take();
    const problem = `${count} more lines are broken`;
    return [...this.take(), { kind: 'broken', source: this.#source, line: 0, problem, count }];
  }
}

/** Why a file cannot be read, in words that name it. */
export function problemWith(source: string, error: unknown): string {
  return error instanceof BadInputError ? error.message : `${source}: ${String(error)}`;
}
