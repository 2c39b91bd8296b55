import type { JsonValue } from '../json.ts';
import {
  AGAIN_AFTER,
  FIRST_QUESTION,
  LIKELY,
  MORE_PATIENT,
  PER_LIKE_STEP,
  PER_STEP,
} from '../judgement.ts';
import { type Codec, count, flag, number, record } from '../state/codec.ts';

interface Pace {
  /** Steps in total, and since the latest question. */
  readonly steps: number;
  readonly since: number;
  /** Sum of the staleness since then. */
  readonly staleness: number;
  /** Consecutive answers that were no. */
  readonly noes: number;
  /** Whether a second answer like the latest would stop the team. */
  readonly isInDoubt: boolean;
  /** Whether a detector has suspected the team since then. */
  readonly isSuspected: boolean;
}

const PACE: Codec<Pace> = record<Pace>({
  steps: count,
  since: count,
  staleness: number,
  noes: count,
  isInDoubt: flag,
  isSuspected: flag,
});
const START: Pace = {
  steps: 0,
  since: 0,
  staleness: 0,
  noes: 0,
  isInDoubt: false,
  isSuspected: false,
};

/** Decides when a judge is asked, and whether its answers stop the team. */
export class QuestionPace {
  readonly #askAt: number;
  readonly #stopFrom: number;
  #pace: Pace = START;

  constructor(askAt: number, stopFrom: number) {
    this.#askAt = askAt;
    this.#stopFrom = stopFrom;
  }

  /** Whether to ask now: soon after a doubtful answer, later after each no. */
  get isTime(): boolean {
    const { steps, since, staleness, noes, isInDoubt, isSuspected } = this.#pace;
    if (isInDoubt) return since >= AGAIN_AFTER;
    const patience = MORE_PATIENT ** noes;
    if (isSuspected && since >= FIRST_QUESTION * patience) return true;
    return steps >= FIRST_QUESTION && staleness >= this.#askAt * patience;
  }

  /** Counts a step by its staleness and its similarity to two earlier ones of its agent. */
  step(staleness: number, recurrence: number): void {
    const { steps, since, staleness: before } = this.#pace;
    const more = Math.max(staleness, PER_LIKE_STEP * recurrence) + PER_STEP;
    this.#pace = { ...this.#pace, steps: steps + 1, since: since + 1, staleness: before + more };
  }

  /** Notes that a detector suspects the team. */
  suspect(): void {
    this.#pace = { ...this.#pace, isSuspected: true };
  }

  /** Notes that the judge is asked. */
  ask(): void {
    this.#pace = { ...this.#pace, since: 0, staleness: 0, isSuspected: false };
  }

  /** Whether an answer stops the team: a high one does at once, a lower one the second time. */
  answer(probability: number): boolean {
    const { isInDoubt: wasInDoubt, noes, staleness } = this.#pace;
    const isHigh = probability >= (1 + this.#stopFrom) / 2;
    const isEnough = probability >= this.#stopFrom;
    this.#pace = {
      ...this.#pace,
      staleness: staleness + probability * this.#askAt,
      noes: probability < LIKELY ? noes + 1 : 0,
      isInDoubt: isEnough && !isHigh && !wasInDoubt,
    };
    return isHigh || (isEnough && wasInDoubt);
  }

  /** Starts over, as after human input, but keeps the number of steps. */
  settle(): void {
    this.#pace = { ...START, steps: this.#pace.steps };
  }

  reset(): void {
    this.#pace = START;
  }

  snapshot(): JsonValue {
    return PACE.write(this.#pace);
  }

  /** @throws {@link InvalidSnapshotError} */
  restore(snapshot: unknown): void {
    this.#pace = PACE.read('judge.pace', snapshot);
  }
}
