import { InvalidOptionError } from '../errors.ts';
import type { MaybePromise } from '../maybe-promise.ts';
import { checkNames, finite, integer, type OptionNames } from '../options.ts';
import type { DisclosureOptions } from '../redact/disclosure.ts';
import type { Trip } from '../trip.ts';
import type { SpendLimits } from './call-budget.ts';
import type { LoopOptions } from './loop-window.ts';

/** Any function that can be guarded. */
// biome-ignore lint/suspicious/noExplicitAny: the parameters of the guarded function are its own
export type AnyFunction = (this: any, ...args: any[]) => unknown;

/** The answer of `onTrip`: refuse the call, make it all the same, or raise the limits and make it. */
export type TripDecision =
  | 'stop'
  | 'continue'
  | { readonly raiseTo: Omit<SpendLimits, 'windowMs'> }
  | undefined;

/** Options of {@link guard}. */
export interface FunctionGuardOptions<F extends AnyFunction = AnyFunction>
  extends DisclosureOptions {
  /**
   * The name in trips.
   * @defaultValue the function's name
   */
  readonly name?: string;
  /**
   * What makes two calls the same call.
   * @defaultValue the name and the arguments, without volatile values such as times and random ids
   */
  readonly signature?: (...args: Parameters<F>) => string;
  /** When calls count as a loop; `false` switches this off. */
  readonly loop?: LoopOptions | false;
  /** What the calls may spend. */
  readonly budget?: SpendLimits;
  /** US dollars that a call is expected to cost; they are reserved until it has ended. */
  readonly estimate?: (...args: Parameters<F>) => number;
  /** US dollars that a call has cost. By default, and where this throws, its estimate. */
  readonly cost?: (input: Parameters<F>[0], output: Awaited<ReturnType<F>>) => number;
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

const NAMES: OptionNames<FunctionGuardOptions> = {
  name: true,
  signature: true,
  loop: true,
  budget: true,
  estimate: true,
  cost: true,
  tokens: true,
  context: true,
  isRetryable: true,
  isFailure: true,
  polls: true,
  onTrip: true,
  onError: true,
  now: true,
  excerpts: true,
  redact: true,
};
const CONTEXT_NAMES: OptionNames<NonNullable<FunctionGuardOptions['context']>> = {
  maxContextTokens: true,
  headroom: true,
};
const POLL_NAMES: OptionNames<NonNullable<FunctionGuardOptions['polls']>> = { maxWaitMs: true };
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

/** @throws {@link InvalidOptionError} naming the option, the expected and the received value. */
export function checkGuardOptions(options: FunctionGuardOptions): void {
  checkNames('', options, NAMES);
  for (const name of FUNCTIONS) {
    const given: unknown = options[name];
    if (given !== undefined && typeof given !== 'function') {
      throw new InvalidOptionError(name, 'a function', given);
    }
  }
  const { context, polls, budget, estimate, cost, tokens } = options;
  // A limit that nothing is counted against would hold nothing.
  if (budget?.maxUsd !== undefined && estimate === undefined && cost === undefined) {
    throw new InvalidOptionError('budget.maxUsd', 'estimate or cost beside it', budget.maxUsd);
  }
  if (budget?.maxTokens !== undefined && tokens === undefined) {
    throw new InvalidOptionError('budget.maxTokens', 'tokens beside it', budget.maxTokens);
  }
  if (context !== undefined) {
    checkNames('context', context, CONTEXT_NAMES);
    integer('context.maxContextTokens', context.maxContextTokens, 1);
    integer('context.headroom', context.headroom ?? 0, 0, context.maxContextTokens - 1);
  }
  if (polls !== undefined) {
    checkNames('polls', polls, POLL_NAMES);
    finite('polls.maxWaitMs', polls.maxWaitMs, 0);
  }
}
