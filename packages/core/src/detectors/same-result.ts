import { restoredFlag } from '../analysis/restored.ts';
import type { Said, Step } from '../analysis/step.ts';
import type { JsonValue } from '../json.ts';

/** From this size on, a message with names and numbers in it is a result and no formula. */
const MIN_TOKENS = 60;
const MIN_FIGURES = 3;
/**
 * A result shown again is a loop only if the turn before brought nothing either, or asked for the same: the same prompt
 * may go with progress.
 */
const MIN_IDLE_TURNS = 1.25;
const ASKED_AGAIN_SIMILARITY = 0.6;

/** Where one result was shown, and how often. */
export interface Showings {
  readonly count: number;
  /** The count that is enough. */
  readonly limit: number;
  /** Indices of the showings that are known, the latest not included. */
  readonly before: readonly number[];
}

/** Whether a message is a result: long, with facts, and no failure. @internal */
export function isResult({ tokens, failure }: Step, { figures }: Said): boolean {
  return tokens >= MIN_TOKENS && figures >= MIN_FIGURES && failure === undefined;
}

/** Finds results that are shown again and again. */
export class SameResult {
  readonly #limit: number;
  /** Whether the latest step was much like the one before it by the same agent. */
  #wasLikeBefore = false;

  /** `limit` is how many times the same has to be shown. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Takes the next step in, and says where its result was shown so often, if it was. */
  observe(step: Step): Showings | undefined {
    const { said, deed, idleTurns } = step;
    const isAskedAgain = this.#wasLikeBefore;
    this.#wasLikeBefore = (said?.resemblance ?? 0) >= ASKED_AGAIN_SIMILARITY;
    if (said === undefined || !isResult(step, said)) return undefined;
    const { revisits, reopenings } = said;
    const isIdle = idleTurns >= MIN_IDLE_TURNS;
    if (isIdle && reopenings.length >= this.#limit - 1) {
      return { count: reopenings.length + 1, limit: this.#limit, before: reopenings };
    }
    if (!isIdle && !isAskedAgain) return undefined;
    const repeats = deed?.repeats ?? 0;
    if (repeats >= this.#limit - 1) {
      return { count: repeats + 1, limit: this.#limit, before: revisits };
    }
    // What is shown before it is asked for again was the outcome of something else.
    const limit = this.#limit + 1;
    const count = revisits.length + 1;
    return count >= limit ? { count, limit, before: revisits } : undefined;
  }

  clear(): void {
    this.#wasLikeBefore = false;
  }

  snapshot(): JsonValue {
    return this.#wasLikeBefore;
  }

  /** @throws {@link InvalidSnapshotError} */
  restore(path: string, snapshot: unknown): void {
    this.#wasLikeBefore = restoredFlag(path, snapshot);
  }
}
