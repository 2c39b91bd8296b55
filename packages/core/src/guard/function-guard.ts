import { RecentMap } from '../analysis/recent-map.ts';
import { toNanoUsd } from '../budget/amount.ts';
import {
  BudgetExceededError,
  ContextWindowExceededError,
  LoopDetectedError,
  type TrippedError,
} from '../errors.ts';
import type { FindingKind } from '../finding.ts';
import { isPromise } from '../maybe-promise.ts';
import { finite, functionOf, integer, reading, textOf } from '../options.ts';
import { Disclosure } from '../redact/disclosure.ts';
import { number, pair, text } from '../state/codec.ts';
import type { SignalRef, Trip } from '../trip.ts';
import { CallBudget, type SpendLimits } from './call-budget.ts';
import {
  type AnyFunction,
  checkGuardOptions,
  type FunctionGuardOptions,
  type TripDecision,
} from './guard-options.ts';
import { LoopWindow } from './loop-window.ts';
import { Fingerprints, shownArgs } from './signature.ts';

const MAX_RETRIES = 20;
const MAX_REFS = 32;
/** A guard may live as long as its process, and see ever new signatures. */
const MAX_SIGNATURES = 1000;

/** One window, one budget, for one function or several. */
export class FunctionGuard<F extends AnyFunction = AnyFunction> {
  readonly #options: FunctionGuardOptions<F>;
  readonly #loop: LoopWindow | undefined;
  readonly #spend: CallBudget;
  readonly #fingerprints: Fingerprints = new Fingerprints();
  readonly #disclosure: Disclosure;
  readonly #now: () => number;
  readonly #retries: RecentMap<string, number> = new RecentMap(MAX_SIGNATURES, text, number);
  /** The latest result of each polled call, and since when it is the same. */
  readonly #polled: RecentMap<string, readonly [string, number]> = new RecentMap(
    MAX_SIGNATURES,
    text,
    pair(text, number),
  );
  /** Functions that answer with promises: what they are refused is a rejection. */
  readonly #async: WeakSet<AnyFunction> = new WeakSet();
  #refs: SignalRef[] = [];
  #calls = 0;
  #trips = 0;

  /** @throws {@link InvalidOptionError} */
  constructor(options: FunctionGuardOptions<F> = {}) {
    checkGuardOptions(options as FunctionGuardOptions);
    const { loop, budget, now = Date.now } = options;
    this.#options = options;
    this.#loop = loop === false ? undefined : new LoopWindow(loop);
    this.#spend = new CallBudget(budget, now);
    this.#disclosure = new Disclosure(options, () => {});
    this.#now = now;
  }

  /** How many calls were made, how many refused, and what was spent within the window. */
  get counters(): {
    readonly calls: number;
    readonly trips: number;
    readonly nanoUsd: number;
    readonly tokens: number;
  } {
    return { calls: this.#calls, trips: this.#trips, ...this.#spend.spent };
  }

  /** Raises limits at run time. */
  raise(limits: Omit<SpendLimits, 'windowMs'>): void {
    this.#spend.raise(limits);
  }

  /** Forgets the window of calls. Spend is kept. */
  reset(): void {
    this.#loop?.clear();
    this.#retries.clear();
    this.#polled.clear();
  }

  /** Guards a function. It keeps its type, its `this` and its properties. */
  wrap<G extends F>(fn: G, as?: string): G {
    functionOf('fn', fn);
    const own = reading('fn', 'a function that can be called', fn, () => fn.name || 'function');
    const name = textOf('name', as ?? this.#options.name ?? own);
    if (isAsync(fn)) this.#async.add(fn);
    const call = (self: unknown, args: Parameters<G>): unknown => this.#call(fn, name, self, args);
    return new Proxy(fn, {
      apply: (_target, self: unknown, args) => call(self, args as Parameters<G>),
    });
  }

  #call(fn: AnyFunction, name: string, self: unknown, args: Parameters<F>): unknown {
    const { signature: own } = this.#options;
    const signature = own ? own(...args) : `${name}:${this.#fingerprints.of(args)}`;
    const amount = {
      nanoUsd: toNanoUsd(finite('estimate', this.#options.estimate?.(...args) ?? 0, 0)),
      tokens: integer('tokens', this.#options.tokens?.(...args) ?? 0, 0),
    };
    const error = this.#refusal(name, signature, args, amount);
    if (error === undefined) return this.#make(fn, name, signature, self, args, amount);
    const refuse = (refusal: TrippedError): unknown => {
      if (this.#async.has(fn)) return Promise.reject(refusal);
      throw refusal;
    };
    this.#trips++;
    const decision = this.#options.onTrip?.(error.trip);
    const go = (decided: TripDecision): unknown => {
      if (typeof decided === 'object') this.#spend.raise(decided.raiseTo);
      const isRaised = typeof decided === 'object';
      const again = isRaised ? this.#refusal(name, signature, args, amount) : error;
      if (decided !== 'continue' && again !== undefined) return refuse(again);
      return this.#make(fn, name, signature, self, args, amount);
    };
    return isPromise(decision)
      ? decision.then((one) => go(one as TripDecision))
      : go(decision as TripDecision);
  }

  #make(
    fn: AnyFunction,
    name: string,
    signature: string,
    self: unknown,
    args: Parameters<F>,
    amount: { readonly nanoUsd: number; readonly tokens: number },
  ): unknown {
    const settle = this.#spend.reserve(amount);
    this.#calls++;
    this.#remember(name, args);
    const failed = (error: unknown): never => {
      settle(amount);
      this.#failed(signature, error);
      throw error;
    };
    const succeeded = (output: Awaited<ReturnType<F>>): unknown => {
      let actual = amount;
      try {
        const usd = this.#options.cost?.(args[0], output);
        if (usd !== undefined) actual = { ...amount, nanoUsd: toNanoUsd(finite('cost', usd, 0)) };
      } finally {
        settle(actual);
      }
      this.#succeeded(signature, output);
      return output;
    };
    let output: unknown;
    try {
      output = fn.apply(self, args);
    } catch (error) {
      return failed(error);
    }
    if (!isPromise(output)) return succeeded(output as Awaited<ReturnType<F>>);
    this.#async.add(fn);
    return output.then((value) => succeeded(value as Awaited<ReturnType<F>>), failed);
  }

  #failed(signature: string, error: unknown): void {
    const retries = (this.#retries.get(signature) ?? 0) + 1;
    this.#retries.set(signature, retries);
    const isPatient = this.#options.isRetryable?.(error) === true && retries < MAX_RETRIES;
    if (!isPatient) this.#loop?.add(signature, this.#fingerprints.ofError(error));
  }

  #succeeded(signature: string, output: Awaited<ReturnType<F>>): void {
    this.#retries.delete(signature);
    const { isFailure, polls } = this.#options;
    if (isFailure?.(output)) {
      this.#loop?.add(signature, 'failed');
      return;
    }
    const outcome = this.#fingerprints.ofResult(output);
    if (polls !== undefined) {
      const [known, since] = this.#polled.get(signature) ?? [outcome, this.#now()];
      const from = known === outcome ? since : this.#now();
      this.#polled.set(signature, [outcome, from]);
      if (this.#now() - from < polls.maxWaitMs) return;
    }
    this.#loop?.add(signature, outcome);
  }

  #refusal(
    name: string,
    signature: string,
    args: readonly unknown[],
    amount: { readonly nanoUsd: number; readonly tokens: number },
  ): TrippedError | undefined {
    const loop = this.#loop?.completedBy(signature);
    if (loop !== undefined) {
      const { cycle, rounds } = loop;
      const what = cycle.length === 1 ? 'the same call' : `the same ${cycle.length} calls`;
      const reason = `${this.#shownCall(name, args)} would be ${what} for the ${ordinal(rounds)} time, with the same outcome each time`;
      return new LoopDetectedError(
        this.#trip('repetition', name, reason, rounds, rounds, cycle.length, signature),
      );
    }
    const { context } = this.#options;
    if (context !== undefined) {
      const count = amount.tokens + (context.headroom ?? 0);
      const limit = context.maxContextTokens;
      if (count > limit) {
        const reason = `${name} needs ${count} tokens and the window has ${limit}`;
        return new ContextWindowExceededError(
          this.#trip('context-window', name, reason, count, limit),
        );
      }
    }
    const excess = this.#spend.excess(amount);
    if (excess === undefined) return undefined;
    const reason = `${name} exceeds the budget: ${excess.text}`;
    return new BudgetExceededError(
      this.#trip('budget', name, reason, excess.count, excess.limit, undefined, excess.subject),
    );
  }

  #trip(
    kind: FindingKind,
    agent: string,
    reason: string,
    count: number,
    limit: number,
    period?: number,
    subject?: string,
  ): Trip {
    const signals = kind === 'repetition' ? this.#refs.slice(-((count - 1) * (period ?? 1))) : [];
    const { nanoUsd, tokens } = this.#spend.spent;
    // The unit of a budget is no word of anybody.
    const hasExcerpts = this.#disclosure.hasExcerpts || kind !== 'repetition';
    return {
      kind,
      by: 'guard',
      conversation: '',
      reason,
      at: this.#now(),
      index: this.#calls,
      agents: [agent],
      evidence: {
        agents: [agent],
        indices: signals.map(({ index }) => index),
        count,
        limit,
        ...(period !== undefined && { period }),
        ...(subject !== undefined && hasExcerpts && { subject: this.#disclosure.reason(subject) }),
        signals,
        cost: { nanoUsd, tokens, unpricedTokens: 0, isEstimate: false },
      },
    };
  }

  #shownCall(name: string, args: readonly unknown[]): string {
    if (!this.#disclosure.hasExcerpts) return name;
    return this.#disclosure.excerpt(`${name}(${shownArgs(args)})`);
  }

  #remember(agent: string, args: readonly unknown[]): void {
    const excerpt = this.#disclosure.hasExcerpts && { excerpt: this.#shownCall(agent, args) };
    const ref = {
      index: this.#calls - 1,
      kind: 'tool-call',
      agent,
      at: this.#now(),
      ...excerpt,
    } as const;
    this.#refs = [...this.#refs, ref].slice(-MAX_REFS);
  }
}

function ordinal(count: number): string {
  const endings: Readonly<Record<number, string>> = { 2: 'second', 3: 'third' };
  return endings[count] ?? `${count}th`;
}

function isAsync(fn: AnyFunction): boolean {
  return Object.prototype.toString.call(fn) === '[object AsyncFunction]';
}
