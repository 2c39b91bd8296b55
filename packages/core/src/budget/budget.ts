import type { Timers } from '../deadline.ts';
import type { Finding } from '../finding.ts';
import { andThen, asking, type MaybePromise } from '../maybe-promise.ts';
import { checkNames, finite, integer, type OptionNames } from '../options.ts';
import type { ModelRequestSignal, UsageSignal } from '../signal/signal.ts';
import { type Amount, add, formatUsd, NOTHING, plus, toNanoUsd } from './amount.ts';
import type { BudgetLimits, BudgetStore, BudgetTotals } from './budget-store.ts';
import { CheckedBudgetStore } from './checked-budget-store.ts';
import { MemoryBudgetStore } from './memory-budget-store.ts';

/** Limits that can be raised at run time. */
export type RaisedLimits = Pick<BudgetOptions, 'maxUsd' | 'maxTokens'>;

/** Options of {@link Budget}. Without a limit nothing is ever refused, and spend is only kept. */
export interface BudgetOptions {
  /** Most US dollars the whole team may spend, nested chats included. */
  readonly maxUsd?: number;
  /** Most input and output tokens the whole team may use. */
  readonly maxTokens?: number;
  /**
   * US dollars spent before, in an earlier process or before the limit was raised.
   * @defaultValue 0
   */
  readonly spentUsd?: number;
  /** Milliseconds after which spend is forgotten; without it, spend adds up for ever. Not with a `store` of your own. */
  readonly windowMs?: number;
  /** Where spend is kept; by default in memory. */
  readonly store?: BudgetStore;
  /**
   * Milliseconds within which a `store` of your own has to answer; the call it was asked about is refused then.
   * @defaultValue 10_000
   */
  readonly storeTimeoutMs?: number;
}

const NAMES: OptionNames<BudgetOptions> = {
  maxUsd: true,
  maxTokens: true,
  spentUsd: true,
  windowMs: true,
  store: true,
  storeTimeoutMs: true,
};

const STORE_TIMEOUT_MS = 10_000;
/** Timers hold no more. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

const RAISED_NAMES: OptionNames<RaisedLimits> = { maxUsd: true, maxTokens: true };

/**
 * The team's spend against its limits: reserved before a call and settled after it, so that calls under way count too.
 *
 * A call at an unknown price cannot be counted in dollars: it is refused unless tokens are limited too.
 */
export class Budget {
  readonly store: BudgetStore;
  /** The store in memory, unless the user gave one. */
  readonly memory: MemoryBudgetStore | undefined;
  readonly #isRolling: boolean;
  #limits: BudgetLimits = {};

  /** @throws {@link InvalidOptionError} */
  constructor(options: BudgetOptions = {}, now: () => number = Date.now, timers?: Timers) {
    checkNames('budget', options, NAMES);
    const { maxUsd, maxTokens, spentUsd = 0, windowMs, store } = options;
    const { storeTimeoutMs = STORE_TIMEOUT_MS } = options;
    const timeoutMs = integer('budget.storeTimeoutMs', storeTimeoutMs, 1, MAX_TIMEOUT_MS);
    if (windowMs !== undefined) integer('budget.windowMs', windowMs, 1);
    this.#isRolling = windowMs !== undefined;
    this.raise({
      ...(maxUsd !== undefined && { maxUsd }),
      ...(maxTokens !== undefined && { maxTokens }),
    });
    const spent = { nanoUsd: toNanoUsd(finite('budget.spentUsd', spentUsd, 0, 9e6)), tokens: 0 };
    this.memory = store !== undefined ? undefined : new MemoryBudgetStore(spent, { windowMs, now });
    this.store = this.memory ?? new CheckedBudgetStore(store as BudgetStore, { timeoutMs, timers });
  }

  /**
   * Sets other limits; what is missing stays as it is.
   * @throws {@link InvalidOptionError}
   */
  raise(limits: RaisedLimits): void {
    checkNames('budget', limits, RAISED_NAMES);
    const { maxUsd, maxTokens } = limits;
    this.#limits = {
      ...this.#limits,
      ...(maxUsd !== undefined && { nanoUsd: toNanoUsd(finite('budget.maxUsd', maxUsd, 0, 9e6)) }),
      ...(maxTokens !== undefined && { tokens: integer('budget.maxTokens', maxTokens, 0) }),
    };
  }

  /** Whether anything is limited at all. */
  get isLimited(): boolean {
    return this.#limits.nanoUsd !== undefined || this.#limits.tokens !== undefined;
  }

  /** Reserves what a call is expected to take; a finding means that it does not fit any more. */
  request(
    signal: ModelRequestSignal,
    inputTokens: number,
    conversation = '',
  ): MaybePromise<Finding | undefined> {
    if (!this.isLimited) return undefined;
    const amount = {
      // Nobody gave an estimate: the least a call can take still has to fit.
      nanoUsd: toNanoUsd(signal.estimatedCostUsd ?? 0) || 1,
      tokens: plus(inputTokens, signal.maxOutputTokens ?? 0) || 1,
    };
    return andThen(
      asking(() => this.store.reserve(reservationId(signal, conversation), amount, this.#limits)),
      ({ isGranted, totals }) =>
        isGranted ? undefined : this.#exceeded(signal.agent, add(totals.reserved, amount), totals),
    );
  }

  /** Lets go of what {@link Budget.request} has reserved for a call that is not made after all. */
  release(signal: ModelRequestSignal, conversation = ''): MaybePromise<undefined> {
    return andThen(
      asking(() => this.store.settle(reservationId(signal, conversation), NOTHING)),
      () => undefined,
    );
  }

  /** Books what a call took, `actual` being an estimate where nothing was reported. */
  settle(
    signal: UsageSignal,
    actual: Amount,
    conversation = '',
  ): MaybePromise<Finding | undefined> {
    const booked = asking(() => this.store.settle(reservationId(signal, conversation), actual));
    return andThen(booked, (totals) => {
      const isUnpriced = signal.costUsd === null && actual.tokens > 0;
      const { nanoUsd, tokens } = this.#limits;
      if (isUnpriced && nanoUsd !== undefined && tokens === undefined) {
        return unpriced(signal, nanoUsd, totals);
      }
      return this.#overspent(signal.agent, totals);
    });
  }

  /** Books money that was spent outside any signal. */
  track(amount: Amount, agent: string): MaybePromise<Finding | undefined> {
    const booked = asking(() => this.store.settle(undefined, amount));
    return andThen(booked, (now) => this.#overspent(agent, now));
  }

  #overspent(agent: string, totals: BudgetTotals): Finding | undefined {
    const { nanoUsd, tokens } = this.#limits;
    const isOver =
      totals.spent.nanoUsd > (nanoUsd ?? Number.POSITIVE_INFINITY) ||
      totals.spent.tokens > (tokens ?? Number.POSITIVE_INFINITY);
    return isOver ? this.#exceeded(agent, { nanoUsd: 0, tokens: 0 }, totals) : undefined;
  }

  #exceeded(agent: string, claimed: Amount, { spent }: BudgetTotals): Finding {
    const { nanoUsd, tokens } = this.#limits;
    const isMoney = nanoUsd !== undefined && spent.nanoUsd + claimed.nanoUsd > nanoUsd;
    const [count, limit] = isMoney
      ? [spent.nanoUsd + claimed.nanoUsd, nanoUsd]
      : [spent.tokens + claimed.tokens, tokens ?? 0];
    const show = isMoney ? formatUsd : (n: number): string => `${n} tokens`;
    const held = isMoney ? claimed.nanoUsd : claimed.tokens;
    const reason =
      held > 1
        ? `the next call does not fit the budget: ${show(count - held)} spent and ${show(held)} needed of ${show(limit)}`
        : `the budget of ${show(limit)} is used up: ${show(count - held)} spent`;
    const found = finding(agent, reason, count, limit, isMoney ? 'nano-dollars' : 'tokens');
    // Spend that is forgotten after a while makes room again.
    return this.#isRolling ? { ...found, isPassing: true } : found;
  }
}

/** What a budget was counted in: the subject of its findings. */
export type BudgetUnit = 'nano-dollars' | 'tokens';

function unpriced(signal: UsageSignal, limit: number, { spent }: BudgetTotals): Finding {
  const reason = `the price of model '${signal.model}' is unknown, so a budget of ${formatUsd(limit)} cannot be kept: give its price (prices), the name of a model with a known price (models), or a budget in tokens (budget.maxTokens)`;
  return finding(signal.agent, reason, spent.nanoUsd, limit, 'nano-dollars');
}

function finding(
  agent: string,
  reason: string,
  count: number,
  limit: number,
  subject: BudgetUnit,
): Finding {
  const evidence = { agents: agent === '' ? [] : [agent], indices: [], count, limit, subject };
  return { level: 'trip', kind: 'budget', reason, evidence };
}

/** A call without an id is the agent's one call under way. Conversations may use equal ids. */
function reservationId(
  { requestId, agent }: ModelRequestSignal | UsageSignal,
  conversation: string,
): string {
  const id = requestId === undefined ? `agent:${agent}` : `request:${requestId}`;
  return conversation === '' ? id : `${id} of ${conversation}`;
}
