import type { BreakerOptions } from '../breaker/breaker-options.ts';
import type { PurseOptions } from '../budget/budget-options.ts';
import type { Trip } from '../circuit/trip.ts';
import { InvalidOptionError } from '../common/errors.ts';
import type { MaybePromise } from '../common/maybe-promise.ts';
import { checkNames, finite, integer, type OptionNames } from '../common/options.ts';
import { NORMAL } from '../detection/detectors/built-in-detector.ts';
import { NO_DETECTORS } from '../detection/detectors/default-detectors.ts';
import { RepetitionDetector } from '../detection/detectors/repetition.ts';
import type { DisclosureOptions } from '../disclosure/disclosure.ts';

/** Any function that can be guarded. */
// biome-ignore lint/suspicious/noExplicitAny: the parameters of the guarded function are its own
export type AnyFunction = (this: any, ...args: any[]) => unknown;

/** The arguments after the first one. */
type Others<P extends unknown[]> = P extends [unknown?, ...infer R] ? R : unknown[];

/** What guarded calls may spend. */
export interface SpendLimits extends PurseOptions {
  /** Milliseconds after which spend is forgotten. @defaultValue never */
  readonly windowMs?: number;
}

/** When calls count as a loop. */
export interface LoopOptions {
  /**
   * How many of the latest calls are looked at.
   * @defaultValue 32
   */
  readonly windowSize?: number;
  /**
   * The shortest cycle that counts, in calls.
   * @defaultValue 1
   */
  readonly minCycleLen?: number;
  /**
   * The longest cycle that counts, in calls.
   * @defaultValue 8
   */
  readonly maxCycleLen?: number;
  /**
   * The round of a cycle that is refused: with 3, two rounds run, and the last call of the third is refused. At most 32.
   * @defaultValue 3
   */
  readonly repeats?: number;
}

/** The answer of `onTrip`: refuse the call, make it all the same, or raise the limits and make it. */
export type TripDecision = 'stop' | 'continue' | { readonly raiseTo: PurseOptions } | undefined;

/** Options of {@link guard}. */
export interface FunctionGuardOptions<F extends AnyFunction = AnyFunction>
  extends DisclosureOptions {
  /**
   * The name in trips.
   * @defaultValue the function's name
   */
  readonly name?: string;
  /**
   * What makes two calls the same call, compared to the letter and whatever comes of them.
   * @defaultValue calls of one function are the same if their arguments are to the letter, and their outcomes
   */
  readonly signature?: (...args: Parameters<F>) => string;
  /** When calls count as a loop; `false` switches this off. */
  readonly loop?: LoopOptions | false;
  /**
   * Milliseconds after which a call no longer counts as one that was made before.
   * @defaultValue 1_800_000
   */
  readonly forgetAfterMs?: number;
  /** What the calls may spend. */
  readonly budget?: SpendLimits;
  /**
   * US dollars that a call is expected to cost; they are reserved until it has ended. Without it, a call takes as much as is
   * left of a budget in dollars, so that one runs at a time.
   */
  readonly estimate?: (...args: Parameters<F>) => number;
  /**
   * US dollars that a call has cost, by its first argument, its result, and its other arguments. By default, and where this
   * throws, its estimate.
   */
  readonly cost?: (
    input: Parameters<F>[0],
    output: Awaited<ReturnType<F>>,
    ...others: Others<Parameters<F>>
  ) => number;
  /** Tokens of a call, for `budget.maxTokens` and `context`. */
  readonly tokens?: (...args: Parameters<F>) => number;
  /** The window of the model behind the function. */
  readonly context?: {
    readonly maxContextTokens: number;
    /** Tokens kept free for the answer. */
    readonly headroom?: number;
  };
  /** Whether an error is worth another try. The same call may fail so 20 times in a row. */
  readonly isRetryable?: (error: unknown) => boolean;
  /** Whether a result is a failure. Failures of one call count as the same, whatever else they hold. */
  readonly isFailure?: (output: Awaited<ReturnType<F>>) => boolean;
  /** Set if the function is polled: for so long, the same result is no loop. */
  readonly polls?: { readonly maxWaitMs: number };
  /**
   * Called before a call is refused; its answer decides. A promise is awaited where the function itself is async.
   * @defaultValue refuses the call
   */
  // biome-ignore lint/suspicious/noConfusingVoidType: a handler that only listens returns nothing
  readonly onTrip?: (trip: Trip) => MaybePromise<TripDecision | void>;
  /**
   * Called with what `cost`, `isFailure` or `isRetryable` throws once a call has ended. The call keeps its result, and
   * counts by its estimate.
   * @defaultValue shows the first error on the console
   */
  readonly onError?: (error: unknown) => void;
  /**
   * The clock, in milliseconds.
   * @defaultValue Date.now
   */
  readonly now?: () => number;
}

const LOOP_NAMES: OptionNames<LoopOptions> = {
  windowSize: true,
  minCycleLen: true,
  maxCycleLen: true,
  repeats: true,
};
const LIMIT_NAMES: OptionNames<PurseOptions> = { maxUsd: true, maxTokens: true };
const SPEND_NAMES: OptionNames<SpendLimits> = { ...LIMIT_NAMES, windowMs: true };
const CONTEXT_NAMES: OptionNames<NonNullable<FunctionGuardOptions['context']>> = {
  maxContextTokens: true,
  headroom: true,
};
const POLL_NAMES: OptionNames<NonNullable<FunctionGuardOptions['polls']>> = { maxWaitMs: true };
/** The names of all options; those of tables within, so that a misplaced one is told where it belongs. */
const NAMES: Readonly<Record<keyof Required<FunctionGuardOptions>, unknown>> = {
  name: true,
  signature: true,
  loop: { type: 'table', of: LOOP_NAMES },
  forgetAfterMs: true,
  budget: { type: 'table', of: SPEND_NAMES },
  estimate: true,
  cost: true,
  tokens: true,
  context: { type: 'table', of: CONTEXT_NAMES },
  isRetryable: true,
  isFailure: true,
  polls: { type: 'table', of: POLL_NAMES },
  onTrip: true,
  onError: true,
  now: true,
  excerpts: true,
  redact: true,
};
const FUNCTIONS = [
  'signature',
  'estimate',
  'cost',
  'tokens',
  'isRetryable',
  'isFailure',
  'onTrip',
  'onError',
  'now',
] as const;
const MAX_REPEATS = 32;

/** @throws {@link InvalidOptionError} naming the option, the expected and the received value. */
export function checkGuardOptions(options: FunctionGuardOptions): void {
  checkNames('', options, NAMES);
  for (const name of FUNCTIONS) {
    const given: unknown = options[name];
    if (given !== undefined && typeof given !== 'function') {
      throw new InvalidOptionError(name, 'a function', given);
    }
  }
  const { context, polls, budget, estimate, cost, tokens, forgetAfterMs } = options;
  if (forgetAfterMs !== undefined) finite('forgetAfterMs', forgetAfterMs, 1);
  if (budget !== undefined) checkNames('budget', budget, SPEND_NAMES);
  // A limit that nothing is counted against would hold nothing.
  if (budget?.maxUsd !== undefined && estimate === undefined && cost === undefined) {
    throw lacking('budget.maxUsd', budget.maxUsd, 'estimate', 'cost');
  }
  if (budget?.maxTokens !== undefined && tokens === undefined) {
    throw lacking('budget.maxTokens', budget.maxTokens, 'tokens');
  }
  if (context !== undefined) {
    checkNames('context', context, CONTEXT_NAMES);
    integer('context.maxContextTokens', context.maxContextTokens, 1);
    integer('context.headroom', context.headroom ?? 0, 0, context.maxContextTokens - 1);
    if (tokens === undefined) throw lacking('context', context, 'tokens');
  }
  if (polls !== undefined) {
    checkNames('polls', polls, POLL_NAMES);
    finite('polls.maxWaitMs', polls.maxWaitMs, 0);
  }
}

/** The error for an option without one of those that it needs. */
function lacking(option: string, value: unknown, ...needed: readonly string[]): InvalidOptionError {
  const options = needed.map((name) => `\`${name}\``).join(' or ');
  return new InvalidOptionError(option, options, value, `${option} requires ${options}`);
}

/** @throws {@link InvalidOptionError} */
export function checkRaisedLimits(limits: PurseOptions): PurseOptions {
  checkNames('budget', limits, LIMIT_NAMES);
  return limits;
}

/**
 * The options of a guard as those of the breaker that decides for it. Each call is decided by itself, so that nothing has a
 * cool-down, and certain loops and declared limits are all that refuses one.
 * @throws {@link InvalidOptionError}
 */
export function breakerOptionsOf(options: FunctionGuardOptions): BreakerOptions {
  const { signature, loop = {}, forgetAfterMs, polls, budget, context } = options;
  const { now, excerpts, redact } = options;
  const any = {
    ...(signature && { loopKey: identity }),
    ...(polls && { polls: { ...polls, minPauseMs: 0 } }),
  };
  return {
    ...NO_DETECTORS,
    detectors: loop === false ? [] : [detectorOf(loop)],
    analysis: { ...(forgetAfterMs !== undefined && { forgetAfterMs }), tools: { '*': any } },
    cooldownMs: 0,
    ...(budget && { budget }),
    ...(context && { contextWindow: context }),
    ...(now && { now }),
    ...(excerpts !== undefined && { excerpts }),
    ...(redact !== undefined && { redact }),
  };
}

function detectorOf(loop: LoopOptions): () => RepetitionDetector {
  checkNames('loop', loop, LOOP_NAMES);
  const { windowSize = 32, minCycleLen = 1, maxCycleLen = 8, repeats = 3 } = loop;
  const limit = integer('loop.repeats', repeats, 2, MAX_REPEATS);
  const least = integer('loop.minCycleLen', minCycleLen, 1);
  const longest = integer('loop.maxCycleLen', maxCycleLen, minCycleLen);
  integer('loop.windowSize', windowSize, repeats * minCycleLen);
  const most = Math.min(longest, Math.floor(windowSize / repeats));
  // What is only suspected refuses no call.
  const shape = { least, most, known: Math.min(2, limit - 1) };
  return () => new RepetitionDetector({ limit, stopAt: Number.MAX_VALUE }, NORMAL, shape);
}

function identity<T>(value: T): T {
  return value;
}
