import { UntoldErrors } from '../breaker/events/untold-errors.ts';
import { type Amount, toNanoUsd } from '../budget/amount.ts';
import {
  BudgetExceededError,
  ContextWindowExceededError,
  LoopDetectedError,
  type TrippedError,
} from '../errors.ts';
import { isPromise } from '../maybe-promise.ts';
import { finite, functionOf, integer, reading, textOf } from '../options.ts';
import { Disclosure } from '../redact/disclosure.ts';
import { CallBudget, type SpendLimits } from './call-budget.ts';
import { CallOutcomes } from './call-outcomes.ts';
import {
  type AnyFunction,
  checkGuardOptions,
  type FunctionGuardOptions,
  type TripDecision,
} from './guard-options.ts';
import { GuardTrips } from './guard-trips.ts';
import { Fingerprints } from './signature.ts';

/** A call that is asked for. */
interface Call<F extends AnyFunction> {
  readonly name: string;
  readonly args: Parameters<F>;
  /** What makes it the same as another call. */
  readonly signature: string;
  /** What it is expected to take. */
  readonly amount: Amount;
}

/** One window, one budget, for one function or several. */
export class FunctionGuard<F extends AnyFunction = AnyFunction> {
  readonly #options: FunctionGuardOptions<F>;
  readonly #spend: CallBudget;
  readonly #outcomes: CallOutcomes;
  readonly #trips: GuardTrips;
  readonly #untold: UntoldErrors;
  readonly #fingerprints: Fingerprints = new Fingerprints();
  /** Functions that answer with promises: what they are refused is a rejection. */
  readonly #async: WeakSet<AnyFunction> = new WeakSet();
  #refusals = 0;

  /** @throws {@link InvalidOptionError} */
  constructor(options: FunctionGuardOptions<F> = {}) {
    checkGuardOptions(options as FunctionGuardOptions);
    const { loop, budget, polls, now = Date.now } = options;
    this.#options = options;
    this.#spend = new CallBudget(budget, now);
    this.#outcomes = new CallOutcomes(loop, polls?.maxWaitMs ?? 0, this.#fingerprints, now);
    this.#trips = new GuardTrips(new Disclosure(options, () => {}), now);
    this.#untold = new UntoldErrors(options.excerpts !== false, 'the option onError of guard()');
  }

  /** How many calls were made, how many refused, and what was spent within the window. */
  get counters(): {
    readonly calls: number;
    readonly trips: number;
    readonly nanoUsd: number;
    readonly tokens: number;
  } {
    return { calls: this.#trips.calls, trips: this.#refusals, ...this.#spend.spent };
  }

  /** Raises limits at run time. */
  raise(limits: Omit<SpendLimits, 'windowMs'>): void {
    this.#spend.raise(limits);
  }

  /** Forgets the window of calls. Spend is kept. */
  reset(): void {
    this.#outcomes.clear();
  }

  /** Guards a function. It keeps its type, its `this` and its properties. */
  wrap<G extends F>(fn: G, as?: string): G {
    functionOf('fn', fn);
    const own = reading('fn', 'a function that can be called', fn, () => fn.name || 'function');
    const name = textOf('name', as ?? this.#options.name ?? own);
    if (isAsync(fn)) this.#async.add(fn);
    return new Proxy(fn, {
      apply: (_target, self: unknown, args) =>
        this.#ask(fn, self, this.#callOf(name, args as Parameters<G>)),
    });
  }

  #callOf(name: string, args: Parameters<F>): Call<F> {
    const { signature, estimate, tokens } = this.#options;
    return {
      name,
      args,
      signature: signature ? signature(...args) : `${name}:${this.#fingerprints.of(args)}`,
      amount: {
        nanoUsd: toNanoUsd(finite('estimate', estimate?.(...args) ?? 0, 0)),
        tokens: integer('tokens', tokens?.(...args) ?? 0, 0),
      },
    };
  }

  /** Makes a call unless it is refused and `onTrip` leaves it at that. */
  #ask(fn: AnyFunction, self: unknown, call: Call<F>): unknown {
    const refusal = this.#refusal(call);
    if (refusal === undefined) return this.#make(fn, self, call);
    this.#refusals++;
    const decide = (decision: TripDecision): unknown => {
      let left: TrippedError | undefined = refusal;
      if (decision === 'continue') left = undefined;
      else if (typeof decision === 'object') {
        this.#spend.raise(decision.raiseTo);
        left = this.#refusal(call);
      }
      if (left === undefined) return this.#make(fn, self, call);
      if (this.#async.has(fn)) return Promise.reject(left);
      throw left;
    };
    const decision = this.#options.onTrip?.(refusal.trip);
    return isPromise(decision)
      ? decision.then((one) => decide(one as TripDecision))
      : decide(decision as TripDecision);
  }

  #refusal({ name, args, signature, amount }: Call<F>): TrippedError | undefined {
    const loop = this.#outcomes.loopBy(signature);
    if (loop !== undefined) {
      const trip = this.#trips.ofLoop(loop, name, args, signature, this.#spend.spent);
      return new LoopDetectedError(trip);
    }
    const { context } = this.#options;
    const count = amount.tokens + (context?.headroom ?? 0);
    if (context !== undefined && count > context.maxContextTokens) {
      const { maxContextTokens } = context;
      const trip = this.#trips.ofWindow(name, count, maxContextTokens, this.#spend.spent);
      return new ContextWindowExceededError(trip);
    }
    const excess = this.#spend.excess(amount);
    if (excess === undefined) return undefined;
    return new BudgetExceededError(this.#trips.ofExcess(name, excess, this.#spend.spent));
  }

  #make(fn: AnyFunction, self: unknown, call: Call<F>): unknown {
    const settle = this.#spend.reserve(call.amount);
    this.#trips.remember(call.name, call.args);
    const threw = (error: unknown): never => {
      this.#telling(() => settle(call.amount));
      this.#telling(() => this.#threw(call, error));
      throw error;
    };
    const gave = (output: Awaited<ReturnType<F>>): unknown => {
      const actual = this.#telling(() => this.#costOf(call, output)) ?? call.amount;
      this.#telling(() => settle(actual));
      this.#telling(() => this.#gave(call, output));
      return output;
    };
    let output: unknown;
    try {
      output = fn.apply(self, call.args);
    } catch (error) {
      return threw(error);
    }
    if (!isPromise(output)) return gave(output as Awaited<ReturnType<F>>);
    this.#async.add(fn);
    return output.then((value) => gave(value as Awaited<ReturnType<F>>), threw);
  }

  #costOf({ args, amount }: Call<F>, output: Awaited<ReturnType<F>>): Amount {
    const usd = this.#options.cost?.(args[0], output);
    return usd === undefined ? amount : { ...amount, nanoUsd: toNanoUsd(finite('cost', usd, 0)) };
  }

  #threw({ signature }: Call<F>, error: unknown): void {
    const isRetryable = this.#telling(() => this.#options.isRetryable?.(error)) === true;
    this.#outcomes.threw(signature, error, isRetryable);
  }

  #gave({ signature }: Call<F>, output: Awaited<ReturnType<F>>): void {
    const isFailure = Boolean(this.#telling(() => this.#options.isFailure?.(output)));
    this.#outcomes.gave(signature, output, isFailure);
  }

  /** What `work` gives. What it throws is told, and takes nobody the result of a call that has ended. */
  #telling<T>(work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      this.#tell(error);
      return undefined;
    }
  }

  #tell(error: unknown): void {
    const { onError } = this.#options;
    if (onError === undefined) this.#untold.tell(error, 'guard');
    try {
      const told: unknown = onError?.(error);
      if (isPromise(told)) told.then(undefined, () => {});
    } catch {
      // A listener that throws cannot be reported anywhere.
    }
  }
}

function isAsync(fn: AnyFunction): boolean {
  return Object.prototype.toString.call(fn) === '[object AsyncFunction]';
}
