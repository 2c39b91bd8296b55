import {
  BUDGET_OPTIONS,
  type BudgetOptions,
  RAISED_OPTIONS,
  type RaisedLimits,
} from '../budget/budget-options.ts';
import { type ContextWindowOptions, WINDOW_OPTIONS } from '../budget/context-window.ts';
import type { Timers } from '../deadline.ts';
import type { Detector } from '../detector.ts';
import {
  DETECTION_OPTIONS,
  type DetectionOptions,
  type DetectorName,
} from '../detectors/default-detectors.ts';
import { JUDGE_OPTIONS, type JudgeChoice } from '../judge/question.ts';
import { LIMIT_OPTIONS, type LimitOptions } from '../limits/limit-options.ts';
import type { OptionTable } from '../option-table.ts';
import { MODEL_PRICES, type PriceOptions } from '../pricing.ts';
import type { DisclosureOptions } from '../redact/disclosure.ts';
import { MAX_COOLDOWN_MS } from './circuit/circuit.ts';
import type { CircuitStore } from './circuit/circuit-store.ts';
import { REACTIONS, type ReactionOptions } from './findings/reaction.ts';
import { THROTTLE_OPTIONS, type ThrottleOptions } from './throttle/throttle-options.ts';

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
   * Milliseconds an open circuit waits before it lets one probe through. Doubles with each failed probe, up to 15 minutes.
   * Limits and manual stops wait for {@link Breaker.reset} instead, and budgets for {@link Breaker.raise}.
   * @defaultValue 60_000
   */
  readonly cooldownMs?: number;
  /**
   * What a finding leads to: `observe` only emits it, `warn` warns the team once, `stop` opens the circuit.
   * @defaultValue 'stop'
   */
  readonly reaction?: ReactionOptions;
  /**
   * Confirms suspicions: a model through `modelJudge()` of `@teamfuse/judge`, or a function of your own. With `true` or a
   * model name, a guard asks the model client of its team; without a guard, there is no judge. With a judge, a suspicion stops
   * the team only if the judge confirms it; limits and certain loops always stop it. The judge answers in parallel to the
   * conversation unless it is `blocking`. It sees what was said, without secrets, and so requires `excerpts`.
   */
  readonly judge?: JudgeChoice;
  /**
   * How many tool calls of one agent with the same arguments may be under way at a time. More wait until one of these has
   * ended, so that one answer of a model cannot repeat a call a hundred times before the first result is known. Polled tools
   * (`analysis.tools`) are exempt, and so is everything if `repetition` stops nobody.
   * @defaultValue 8
   */
  readonly maxIdenticalInFlight?: number;
  /**
   * Shares circuits between processes: a `RedisCircuitStore` of `@teamfuse/store-redis`, a `PostgresCircuitStore` of
   * `@teamfuse/store-postgres`, or a store of your own. A conversation that you name is then stopped in all processes at once, and
   * one of them sends the probe. Budgets, limits and conversations without a name of yours stay with each process. While the store is
   * unreachable, each process uses its own circuits.
   * @defaultValue each breaker has its own circuits
   */
  readonly circuits?: CircuitStore;
  /** Functions that return custom detectors; each is called once per conversation. Their kinds must differ. */
  readonly detectors?: readonly (() => Detector)[];
  /**
   * Whether each conversation has its own circuit, or the whole breaker has one.
   * @defaultValue 'conversation'
   */
  readonly scope?: 'conversation' | 'breaker';
  /**
   * The clock, in milliseconds, for everything without a signal that carries the time.
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
  | keyof LimitOptions
  | DetectorName
  | 'analysis'
  | 'judge'
  | 'budget'
  | 'throttle'
  | 'prices'
  | 'models'
  | 'contextWindow'
  | 'redact'
  | 'circuits'
  | 'detectors'
  | 'now'
  | 'timers';
