import type { JudgeUsage } from '../budget/metering.ts';
import { MAX_TIMEOUT_MS } from '../common/expiry-timer.ts';
import type { MaybePromise } from '../common/maybe-promise.ts';
import type { OptionTable } from '../common/option-table.ts';
import type { SuspectedKind } from '../detection/suspicion/suspicion.ts';
import type { Signal } from '../signal/signal.ts';

/** The question to a judge: is this team going in circles? Plain JSON data. */
export interface Question {
  /** What a person asked the team to do, or else the first message. At most 2,000 characters. */
  readonly task: string;
  /** Copies of the latest signals, at most 40, oldest first, without bookkeeping. */
  readonly signals: readonly Signal[];
  /** What the team is most suspected of. */
  readonly kind: SuspectedKind;
}

/** The answer of a judge. */
export interface Confirmation {
  /** How likely the team is going in circles, from 0 to 1. */
  readonly probability: number;
  /** Why, in one sentence; becomes part of the stop reason. */
  readonly reason?: string;
  /** What the answer cost; counts against the budget. */
  readonly usage?: JudgeUsage;
}

/**
 * Judges whether a team is going in circles: yes or no, a probability from 0 to 1, or a {@link Confirmation}.
 * `@teamfuse/judge` creates one from a model client.
 */
export type Confirm = (question: Question) => MaybePromise<boolean | number | Confirmation>;

/**
 * A judge: a function or {@link JudgeOptions}; `true` or the name of a model to use the client of the guarded team; `false`
 * for none.
 */
export type JudgeChoice = boolean | string | Confirm | JudgeOptions;

/** How a judge is asked. */
export interface JudgeOptions {
  /** Answers the questions. */
  readonly confirm: Confirm;
  /**
   * How much staleness adds up before a question; six tenths of it before the first one. Each no
   * multiplies it by 1.4, and doubt lowers it.
   * @defaultValue 2.8
   */
  readonly askAt?: number;
  /**
   * How sure the judge must be, above 0 and at most 1. Answers add up: one half-way between this probability and 1 stops the
   * team alone; two answers of 0.5 do so at the default.
   * @defaultValue 0.5
   */
  readonly stopFrom?: number;
  /**
   * Most questions in one conversation; after that, the breaker decides alone.
   * @defaultValue 20
   */
  readonly maxQuestions?: number;
  /**
   * The most that questions may cost, as a share of what the team has spent in the conversation;
   * two and a half times as much for the first one, and anything if a detector suspects the team.
   * Where no tokens are reported, there is no limit.
   * @defaultValue 0.1
   */
  readonly maxShare?: number;
  /**
   * Whether the team waits for the answer before its next step.
   * @defaultValue false
   */
  readonly blocking?: boolean;
  /**
   * Milliseconds within which the judge must answer; after that, the breaker decides alone until
   * the next answer.
   * @defaultValue 60_000
   */
  readonly timeoutMs?: number;
}

export const JUDGE_OPTIONS: OptionTable<JudgeOptions> = {
  confirm: { type: 'code', isRequired: true },
  askAt: { type: 'number', min: Number.MIN_VALUE, default: 2.8, isScaled: true },
  stopFrom: { type: 'number', min: Number.MIN_VALUE, max: 1, default: 0.5, isScaled: true },
  maxQuestions: { type: 'integer', min: 0, default: 20 },
  maxShare: { type: 'number', min: 0, default: 0.1 },
  blocking: { type: 'flag', default: false },
  timeoutMs: { type: 'integer', min: 1, max: MAX_TIMEOUT_MS, default: 60_000 },
};
