import { ModelCall } from '../admission/model-call.ts';
import { runStep } from '../admission/run-step.ts';
import type { StepHost } from '../admission/step-host.ts';
import { type Outcome, reportOf } from '../admission/step-report.ts';
import { Breaker } from '../breaker/breaker.ts';
import type { Conversation } from '../breaker/conversation.ts';
import type { PurseOptions } from '../budget/budget-options.ts';
import { type Admission, FREE_PERMIT } from '../circuit/permit.ts';
import {
  BudgetExceededError,
  ContextWindowExceededError,
  LoopDetectedError,
  type Trip,
  TrippedError,
} from '../circuit/trip.ts';
import { InvalidOptionError } from '../common/errors.ts';
import {
  andThen,
  atOnce,
  inBackground,
  isPromise,
  isRealPromise,
  type MaybePromise,
  orRejection,
} from '../common/maybe-promise.ts';
import { finite, functionOf, integer, orInvalid, textOf } from '../common/options.ts';
import { toJson } from '../common/to-json.ts';
import type { FindingKind } from '../detection/finding.ts';
import { FirstErrorWarning } from '../events/breaker-events.ts';
import type { ToolCallRequest } from '../signal/request.ts';
import type { Signal } from '../signal/signal.ts';
import { count, number } from '../state/codec.ts';
import { RecentMap } from '../state/stateful.ts';
import { askedOf } from './asked.ts';
import { askHashOf, type Call, isAsyncFunction } from './call.ts';
import {
  type AnyFunction,
  breakerOptionsOf,
  checkGuardOptions,
  checkRaisedLimits,
  type FunctionGuardOptions,
  type TripDecision,
} from './guard-options.ts';

/** What has happened to guarded calls so far. */
export interface GuardCounters {
  /** Calls that have ended. */
  readonly calls: number;
  /** Calls that were asked for and refused. */
  readonly refusals: number;
  /** How often a reason to refuse was found. */
  readonly trips: number;
  /** What the calls have cost, in nano-dollars. */
  readonly nanoUsd: number;
  readonly tokens: number;
}

/** Errors of one call that are worth another try, in a row. */
const MAX_RETRIES = 20;
/** A guard may live as long as its process, and see ever new calls. */
const MAX_FAILING = 1000;
const OPTIONS = 'the options of a guard';
const NO_BREAKER =
  'guard() takes options, not a breaker: it makes one of its own; for yours, use breaker.run() or installOn(fn, breaker)';
const FAILED = new Error('a failure, as isFailure says');

/** One breaker for one function or several: it decides call by call. */
export class FunctionGuard<F extends AnyFunction = AnyFunction> {
  readonly #options: FunctionGuardOptions<F>;
  readonly #breaker: Breaker;
  readonly #conversation: Conversation;
  /** How often each call has failed in a row with errors that are worth another try. */
  readonly #retries: RecentMap<number, number> = new RecentMap(MAX_FAILING, number, count);
  /** Functions that answer with promises: what they are refused is a rejection. */
  readonly #async: WeakSet<AnyFunction> = new WeakSet();
  /** Where calls run: no call ends another one that is under way. */
  readonly #host: Omit<StepHost, 'admit'>;
  #lastId = 0;

  /** @throws {@link InvalidOptionError} */
  constructor(options: FunctionGuardOptions<F> = {}) {
    const isBreaker = orInvalid('options', OPTIONS, options, () => options instanceof Breaker);
    if (isBreaker) throw new InvalidOptionError('options', OPTIONS, options, NO_BREAKER);
    checkGuardOptions(options as FunctionGuardOptions);
    this.#options = options;
    this.#breaker = new Breaker(breakerOptionsOf(options as FunctionGuardOptions));
    const conversation = this.#breaker.conversation('');
    this.#conversation = conversation;
    this.#host = {
      observe: (signal) => conversation.observe(signal),
      onOpen: () => () => {},
      refusal: () => undefined,
      reportError: (error) => conversation.reportError(error),
      now: () => conversation.now(),
    };
    const warning = new FirstErrorWarning(
      (error) => this.#breaker.internals.disclosure.error(error).text,
      'the option onError of guard()',
    );
    this.#breaker.on('error', ({ error }) => {
      if (options.onError === undefined) warning.tell(error, 'guard');
      else return options.onError(error);
    });
  }

  /** How many calls were made and refused, and what they have cost. */
  get counters(): GuardCounters {
    const { toolCalls: calls, refusals, trips } = this.#breaker.counters;
    const { nanoUsd, tokens } = this.#breaker.cost;
    const isCounted = this.#options.tokens !== undefined;
    return { calls, refusals, trips, nanoUsd, tokens: isCounted ? tokens : 0 };
  }

  /** Raises limits at run time. */
  raise(limits: PurseOptions): void {
    this.#breaker.raise(checkRaisedLimits(limits));
  }

  /** Forgets what was called. Spend is kept. */
  reset(): void {
    this.#retries.clear();
    this.#conversation.reset();
  }

  /** Guards a function. It keeps its type, its `this` and its properties. */
  wrap<G extends F>(fn: G, as?: string): G {
    functionOf('fn', fn);
    const own = orInvalid('fn', 'a function that can be called', fn, () => fn.name || 'function');
    const name = textOf('name', as ?? this.#options.name ?? own);
    if (isAsyncFunction(fn)) this.#async.add(fn);
    const guarded = new Proxy(fn, {
      apply: (_target, self: unknown, args) => {
        const work = (): unknown => Reflect.apply(fn, self, args);
        const call = (): Call<F> => this.#callOf(fn, name, args as Parameters<G>, work);
        const run = (): unknown => this.#run(call(), true);
        return this.#async.has(fn) ? orRejection(run) : run();
      },
    });
    GUARDS.set(guarded, this as unknown as FunctionGuard);
    return guarded;
  }

  #callOf(fn: AnyFunction, name: string, args: Parameters<F>, work: () => unknown): Call<F> {
    const { signature, estimate, tokens, cost, budget, context } = this.#options;
    const asked = { agent: name, at: this.#breaker.now() };
    const told = signature ? toJson(atOnce('signature', signature(...args))) : askedOf(args);
    const request = { ...asked, kind: 'tool-call', tool: name, args: told } as const;
    const isPaid = [estimate, tokens, cost, budget, context].some((one) => one !== undefined);
    const paid = isPaid && {
      ...asked,
      kind: 'model-request' as const,
      model: name,
      requestId: String(++this.#lastId),
      inputTokens: integer('tokens', atOnce('tokens', tokens?.(...args) ?? 0), 0),
      ...(estimate && {
        estimatedCostUsd: finite('estimate', atOnce('estimate', estimate(...args)), 0),
      }),
    };
    return { fn, args, work, request, paid: paid || undefined };
  }

  /** Makes a call unless it is refused, and `onTrip` leaves it at that where it `mayDecide`. */
  #run(call: Call<F>, mayDecide: boolean): unknown {
    const refused = (trip: Trip): unknown =>
      this.#refused(call, { ...trip, by: 'guard' }, mayDecide);
    return this.#make(call, () => this.#admit(call), refused);
  }

  #make(
    call: Call<F>,
    admit: () => MaybePromise<Admission>,
    fallback: (trip: Trip) => unknown,
  ): unknown {
    const host = { ...this.#host, admit };
    let begunAt = 0;
    const report = (outcome: Outcome<unknown>): Signal | undefined =>
      this.#reportOf(call, outcome, begunAt);
    const work = (): unknown => {
      begunAt = this.#breaker.now();
      const value = call.work();
      if (isRealPromise(value)) this.#async.add(call.fn);
      return value;
    };
    return runStep<unknown>(host, call.request, work, { fallback, report, isAsIs: true });
  }

  /** Asks for a call, and for what it takes. */
  #admit({ fn, request, paid }: Call<F>): MaybePromise<Admission> {
    const conversation = this.#conversation;
    // Calls of a function that answers at once are never side by side.
    const options = { willRelease: this.#async.has(fn), isIndependent: true };
    return andThen(conversation.admit(request, options), (admission) => {
      if (!admission.isAdmitted || paid === undefined) return admission;
      const { permit } = admission;
      return andThen(conversation.admit(paid, { within: permit }), (answer) => {
        if (!answer.isAdmitted) permit.cancel();
        return answer.isAdmitted ? admission : answer;
      });
    });
  }

  #refused(call: Call<F>, trip: Trip, mayDecide: boolean): unknown {
    const decide = (decision: TripDecision): unknown => {
      if (decision === 'continue')
        return this.#make(call, () => ({ isAdmitted: true, permit: FREE_PERMIT }), refuse);
      if (typeof decision === 'object' && decision !== null) {
        this.raise(decision.raiseTo);
        return this.#run(call, false);
      }
      return refuse(trip);
    };
    const refuse = (why: Trip): never => {
      throw new (ERRORS[why.kind] ?? TrippedError)(why);
    };
    const decision = mayDecide ? this.#options.onTrip?.(trip) : undefined;
    if (!isPromise(decision)) return decide(decision as TripDecision);
    if (this.#async.has(call.fn)) return decision.then((one) => decide(one as TripDecision));
    // A function that answers at once is refused at once.
    inBackground(decision, (error) => this.#conversation.reportError(error));
    return refuse(trip);
  }

  /** How a call ended, once what it took is told. Errors here never lose the result. */
  #reportOf(call: Call<F>, outcome: Outcome<unknown>, begunAt: number): Signal | undefined {
    const { request, paid } = call;
    const at = this.#breaker.now();
    if (paid !== undefined) {
      const { inputTokens = 0, estimatedCostUsd = null } = paid;
      const costUsd = this.#telling(() => this.#costOf(call, outcome)) ?? estimatedCostUsd;
      const usage = { inputTokens, outputTokens: 0, costUsd };
      new ModelCall({ host: this.#host, request: paid }).took(usage);
    }
    const executed = 'value' in outcome || !this.#noteError(request, outcome.error);
    const isFailure = 'value' in outcome && this.#noteResult(request, outcome.value);
    const signal = reportOf(request, isFailure ? { error: FAILED } : outcome, { begunAt, at });
    return signal && ({ ...signal, executed } as Signal);
  }

  #costOf({ args }: Call<F>, outcome: Outcome<unknown>): number | undefined {
    const { cost } = this.#options;
    if (cost === undefined || 'error' in outcome) return undefined;
    const [input, ...others] = args as unknown[];
    const given = cost as (input: unknown, output: unknown, ...others: unknown[]) => number;
    return finite('cost', atOnce('cost', given(input, outcome.value, ...others)), 0);
  }

  /** Ends the tries of a call. Returns whether its result is a failure. */
  #noteResult(request: ToolCallRequest, value: unknown): boolean {
    const { isFailure, isRetryable } = this.#options;
    if (isRetryable !== undefined) this.#retries.delete(askHashOf(request));
    return Boolean(
      this.#telling(() => atOnce('isFailure', isFailure?.(value as Awaited<ReturnType<F>>))),
    );
  }

  /** Counts a try that has failed. Returns whether another one may follow. */
  #noteError(request: ToolCallRequest, error: unknown): boolean {
    const { isRetryable } = this.#options;
    if (isRetryable === undefined) return false;
    const tries = (this.#retries.get(askHashOf(request)) ?? 0) + 1;
    this.#retries.set(askHashOf(request), tries);
    const isWorthIt = this.#telling(() => atOnce('isRetryable', isRetryable(error)));
    return isWorthIt === true && tries < MAX_RETRIES;
  }

  /** What `work` gives. An error in it is reported, and never loses the result of a call that has ended. */
  #telling<T>(work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      this.#conversation.reportError(error);
      return undefined;
    }
  }
}

const GUARDS: WeakMap<AnyFunction, FunctionGuard> = new WeakMap();

/**
 * The guard of a guarded function, to read its counters, raise its limits or reset it; `undefined` if it has none.
 *
 * @example
 * ```ts
 * const ping = guard(() => 'pong');
 * ping();
 * guardOf(ping)?.counters.calls; // => 1
 * guardOf(ping)?.reset();
 * ```
 */
export function guardOf(fn: AnyFunction): FunctionGuard | undefined {
  return GUARDS.get(fn);
}

const ERRORS: Partial<Readonly<Record<FindingKind, typeof TrippedError>>> = {
  repetition: LoopDetectedError,
  budget: BudgetExceededError,
  'context-window': ContextWindowExceededError,
};
