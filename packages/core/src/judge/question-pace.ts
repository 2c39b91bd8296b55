import type { JsonValue } from '../common/json.ts';
import {
  AGAIN_AFTER,
  FIRST_QUESTION,
  FIRST_SHARE,
  HALF_STALE,
  MORE_PATIENT,
  PER_STEP,
} from '../detection/judgement.ts';
import { type Codec, count, flag, number, record } from '../state/codec.ts';

interface Pace {
  /** Steps in total, and since the latest question. */
  readonly steps: number;
  readonly since: number;
  /** Sum of the staleness since then. */
  readonly staleness: number;
  /** Consecutive answers that were no. */
  readonly noes: number;
  /** What the answers so far add up to, in log odds. */
  readonly doubt: number;
  /** Whether there was a question. */
  readonly wasAsked: boolean;
  /** Whether a detector has suspected the team since the latest one. */
  readonly isSuspected: boolean;
}

const PACE: Codec<Pace> = record<Pace>({
  steps: count,
  since: count,
  staleness: number,
  noes: count,
  doubt: number,
  wasAsked: flag,
  isSuspected: flag,
});
const START: Pace = {
  steps: 0,
  since: 0,
  staleness: 0,
  noes: 0,
  doubt: 0,
  wasAsked: false,
  isSuspected: false,
};
/** An answer with a lower probability counts as a no. */
const LIKELY = 0.25;
/** The usual answer about a healthy team: no reason to doubt it. */
const USUAL_ANSWER = 0.15;
/** Answers nearer to 0 or 1 count like these. */
const LEAST = 0.05;
const MOST = 0.99;
/** What is left of earlier answers at each further one. */
const FADING = 2 / 3;

/**
 * Decides when a judge is asked, and whether its answers stop the team.
 *
 * Answers add up: each counts by its log odds against the usual answer about a healthy team, what came before counts two thirds,
 * and the team is stopped once the sum is that of one answer half-way between `stopFrom` and certainty.
 * @internal
 */
export class QuestionPace {
  readonly #askAt: number;
  readonly #enough: number;
  #pace: Pace = START;

  constructor(askAt: number, stopFrom: number) {
    this.#askAt = askAt;
    this.#enough = weightOf((1 + stopFrom) / 2);
  }

  /** Whether a detector has suspected the team since the latest question. */
  get isSuspected(): boolean {
    return this.#pace.isSuspected;
  }

  /** Whether to ask now: the sooner the nearer the answers so far are to half of what is enough, and later after each no. */
  get isTime(): boolean {
    const { steps, since, staleness, noes, doubt, wasAsked, isSuspected } = this.#pace;
    const patience = MORE_PATIENT ** noes;
    if (isSuspected && since >= FIRST_QUESTION * patience) return true;
    const rest = Math.max(0, 1 - (2 * Math.max(0, doubt)) / this.#enough);
    const first = wasAsked ? 1 : FIRST_SHARE;
    const isEnough = staleness >= this.#askAt * patience * rest * first;
    return isEnough && steps >= FIRST_QUESTION && since >= AGAIN_AFTER;
  }

  /** Counts a step by its staleness and its similarity to two earlier ones of its agent. */
  step(staleness: number, recurrence: number): void {
    const { steps, since, staleness: before } = this.#pace;
    const more = Math.max(staleness, HALF_STALE * recurrence) + PER_STEP;
    this.#pace = { ...this.#pace, steps: steps + 1, since: since + 1, staleness: before + more };
  }

  /** Notes that a detector suspects the team. */
  suspect(): void {
    this.#pace = { ...this.#pace, isSuspected: true };
  }

  /** Notes that the judge is asked. */
  ask(): void {
    this.#pace = { ...this.#pace, since: 0, staleness: 0, wasAsked: true, isSuspected: false };
  }

  /** What an answer and those before add up to, as the probability of one answer. Once that is enough, counting starts over. */
  answer(probability: number): { readonly sum: number; readonly isEnough: boolean } {
    const { doubt: before, noes } = this.#pace;
    const doubt = FADING * Math.max(0, before) + weightOf(probability);
    const isEnough = doubt >= this.#enough;
    this.#pace = {
      ...this.#pace,
      doubt: isEnough ? 0 : doubt,
      noes: probability < LIKELY ? noes + 1 : 0,
    };
    return { sum: before > 0 ? probabilityOf(doubt) : probability, isEnough };
  }

  /** Starts over, as after human input, but keeps the number of steps. */
  startOver(): void {
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

/** How much more an answer speaks for a loop than the usual one about a healthy team, in log odds. */
function weightOf(probability: number): number {
  return logOdds(probability) - logOdds(USUAL_ANSWER);
}

/** The answer that speaks as much for a loop. */
function probabilityOf(weight: number): number {
  return 1 / (1 + Math.exp(-weight - logOdds(USUAL_ANSWER)));
}

function logOdds(probability: number): number {
  const bounded = Math.min(MOST, Math.max(LEAST, probability));
  return Math.log(bounded / (1 - bounded));
}
