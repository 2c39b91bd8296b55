import {
  BUDGET_OPTIONS,
  type BudgetOptions,
  RAISED_OPTIONS,
  type RaisedLimits,
} from '../budget/budget-options.ts';
import { type ContextWindowOptions, WINDOW_OPTIONS } from '../budget/context-window.ts';
import { MODEL_PRICES, type PriceOptions } from '../budget/pricing.ts';
import { MAX_COOLDOWN_MS } from '../circuit/circuit.ts';
import type { ShareCircuits } from '../circuit/circuit-sharing.ts';
import { WRAP_UP_OPTIONS, type WrapUpOptions } from '../circuit/wrap-up.ts';
import type { Timers } from '../common/deadline.ts';
import type { OptionTable } from '../common/option-table.ts';
import type { Detector } from '../detection/detector.ts';
import {
  DETECTION_OPTIONS,
  type DetectionOptions,
  type DetectorName,
} from '../detection/detectors/default-detectors.ts';
import {
  LIMIT_OPTIONS,
  type LimitOptions,
  type UnsetLimits,
} from '../detection/limits/limit-options.ts';
import type { DisclosureOptions } from '../disclosure/disclosure.ts';
import { JUDGE_OPTIONS, type JudgeChoice } from '../judge/question.ts';
import { REACTIONS, type ReactionOptions } from '../reactions/reaction.ts';
import { THROTTLE_OPTIONS, type ThrottleOptions } from '../throttle/throttle-options.ts';

/** Options of a {@link Breaker}. Without any, all detectors are on with their defaults. */
export interface BreakerOptions
  extends DetectionOptions,
    LimitOptions,
    DisclosureOptions,
    PriceOptions {
  /** What the team may spend. */
  readonly budget?: BudgetOptions;
  /** How many model calls may begin in a minute and be under way; what is beyond waits for its turn. */
  readonly throttle?: ThrottleOptions;
  /** The context window of the team's model; a call that would not fit is refused. */
  readonly contextWindow?: ContextWindowOptions;
  /**
   * Milliseconds an open circuit waits before it lets one probe through. Doubles with each failed
   * probe, up to 15 minutes.
   * @defaultValue 60_000
   */
  readonly cooldownMs?: number;
  /**
   * What a finding leads to: `observe` only emits it, `warn` tells the team once, `stop` opens the circuit. `ladder` tells the
   * team first, then refuses the call that is repeated, and opens the circuit once two more laps have changed nothing; what you
   * declare as a limit it stops at.
   * @defaultValue 'stop'
   */
  readonly reaction?: ReactionOptions;
  /**
   * Lets one model call without tools write up what is there after each stop, but for one by hand: a guard makes it of the next call
   * of the stopped team. Without it, guards only let work of yours use what the budget keeps back.
   */
  readonly wrapUp?: WrapUpOptions;
  /**
   * Confirms suspicions: `modelJudge()` of `@teamfuse/judge`, or a function of your own; with `true` or a model name, a guard asks
   * the model client of its team. A suspicion then stops the team only if the judge confirms it. It requires `excerpts`.
   */
  readonly judge?: JudgeChoice;
  /**
   * How many tool calls of one agent with the same arguments may be under way at a time. More wait
   * until one of these has ended. Polled tools (`analysis.tools`) are exempt, and so is everything
   * if `repetition` stops nobody.
   * @defaultValue 8
   */
  readonly maxIdenticalInFlight?: number;
  /**
   * Shares circuits between processes: `shared(store)` of `@teamfuse/stores/fleet`. A conversation
   * that you name is then stopped in all processes at once, and one of them sends the probe.
   * @defaultValue each breaker has its own circuits
   */
  readonly circuits?: ShareCircuits;
  /** Functions that return custom detectors; each is called once per conversation. Their kinds must differ. */
  readonly detectors?: readonly (() => Detector)[];
  /**
   * Whether each conversation has its own circuit, or the whole breaker has one.
   * @defaultValue 'conversation'
   */
  readonly scope?: 'conversation' | 'breaker';
  /**
   * The clock, in milliseconds, where no signal carries a time.
   * @defaultValue Date.now
   */
  readonly now?: () => number;
  /**
   * The timers for timeouts: of shared stores and judges, of reservations that other calls wait for, and of guarded runs.
   * @defaultValue `setTimeout` and `clearTimeout`
   */
  readonly timers?: Timers;
}

/** All options, for checks, documents and files. */
export const BREAKER_OPTIONS: OptionTable<BreakerOptions, Unset> = {
  ...DETECTION_OPTIONS,
  judge: { type: 'judge', documentedBy: 'JudgeOptions', of: JUDGE_OPTIONS },
  budget: { type: 'table', documentedBy: 'BudgetOptions', of: BUDGET_OPTIONS },
  throttle: { type: 'table', documentedBy: 'ThrottleOptions', of: THROTTLE_OPTIONS },
  prices: { type: 'named', documentedBy: 'ModelPrices', of: MODEL_PRICES, orCode: true },
  models: { type: 'code' },
  contextWindow: { type: 'table', documentedBy: 'ContextWindowOptions', of: WINDOW_OPTIONS },
  ...LIMIT_OPTIONS,
  reaction: { type: 'choice', perKind: true, values: REACTIONS, default: 'stop' },
  wrapUp: { type: 'table', documentedBy: 'WrapUpOptions', of: WRAP_UP_OPTIONS },
  cooldownMs: { type: 'integer', min: 0, max: MAX_COOLDOWN_MS, default: 60_000 },
  excerpts: { type: 'flag', default: true },
  redact: { type: 'code' },
  maxIdenticalInFlight: { type: 'integer', min: 1, default: 8 },
  circuits: { type: 'code' },
  detectors: { type: 'code' },
  scope: { type: 'choice', values: ['conversation', 'breaker'], default: 'conversation' },
  now: { type: 'code' },
  timers: { type: 'code' },
};

/** Limits that {@link Breaker.adjust} changes. */
export interface AdjustedLimits {
  /** Limits of the budget. */
  readonly budget?: RaisedLimits;
  /** Limits of the throttle. */
  readonly throttle?: ThrottleOptions;
}

export const ADJUSTED_OPTIONS: OptionTable<AdjustedLimits, keyof AdjustedLimits> = {
  budget: { type: 'table', documentedBy: 'BudgetOptions', of: RAISED_OPTIONS },
  throttle: { type: 'table', documentedBy: 'ThrottleOptions', of: THROTTLE_OPTIONS },
};

/** Options without a default, or with one that is no plain value. */
type Unset =
  | UnsetLimits
  | DetectorName
  | 'analysis'
  | 'judge'
  | 'budget'
  | 'throttle'
  | 'prices'
  | 'models'
  | 'contextWindow'
  | 'wrapUp'
  | 'redact'
  | 'circuits'
  | 'detectors'
  | 'now'
  | 'timers';
