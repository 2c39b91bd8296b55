import { InvalidOptionError } from '../errors.ts';
import { checkNames, finite, integer, type OptionNames } from '../options.ts';
import { MAX_TIMEOUT_MS } from './calls/expiry-timer.ts';
import type { BudgetStore } from './store/budget-store.ts';

/** The most that may be spent out of one purse; a missing limit does not bind. */
export interface PurseOptions {
  /** Most US dollars. */
  readonly maxUsd?: number;
  /** Most input and output tokens. */
  readonly maxTokens?: number;
}

/**
 * Options of {@link Budget}. Without a limit nothing is ever refused, and spend is only kept.
 *
 * One call is paid out of every purse that it belongs to: the whole budget and those of its agent, its model and its
 * conversation. It is made only if it fits all of them.
 *
 * @example
 * ```ts
 * const breaker = new Breaker({
 *   budget: { maxUsd: 6, perConversation: { maxUsd: 2 }, agents: { critic: { maxUsd: 0.5 } }, warnAt: 0.8 },
 * });
 * breaker.trackCost(0.75, 'critic');
 * breaker.trip?.reason; // => "the budget of agent 'critic', $0.50, is used up: $0.75 spent"
 * ```
 */
export interface BudgetOptions extends PurseOptions {
  /** Most US dollars the whole team may spend, nested chats included. */
  readonly maxUsd?: number;
  /** Most input and output tokens the whole team may use. */
  readonly maxTokens?: number;
  /** The limits of each agent. */
  readonly perAgent?: PurseOptions;
  /** The limits of each model. */
  readonly perModel?: PurseOptions;
  /** The limits of each conversation; they begin afresh with its next run and its reset. */
  readonly perConversation?: PurseOptions;
  /** The limits of single agents, by name, in place of those of `perAgent`. */
  readonly agents?: Readonly<Record<string, PurseOptions>>;
  /** The limits of single models, by name, in place of those of `perModel`. */
  readonly models?: Readonly<Record<string, PurseOptions>>;
  /**
   * The part of a limit, from 0 to 1, at which the team is warned: once for each purse, and again once it is raised.
   * @defaultValue no warning
   */
  readonly warnAt?: number;
  /**
   * US dollars of `maxUsd` that are kept back for calls that wrap up, which have {@link ModelRequestSignal.isWrapUp}.
   * @defaultValue 0
   */
  readonly reserveUsd?: number;
  /**
   * Tokens of `maxTokens` that are kept back for calls that wrap up.
   * @defaultValue 0
   */
  readonly reserveTokens?: number;
  /**
   * What becomes of a call that does not fit beside those under way, but would fit if they took nothing: `stop` refuses it,
   * which opens the circuit; `wait` lets it wait for them, in each purse in order, while calls of other purses go on. The
   * wait ends with the caller's signal, with a trip or a stop, and once no call of this breaker is under way in the purses
   * that are full. A call that is part of another model call must not wait for it.
   * @defaultValue 'stop'
   */
  readonly whenFull?: 'stop' | 'wait';
  /**
   * US dollars spent before, in an earlier process. Not with a `store` of your own.
   * @defaultValue 0
   */
  readonly spentUsd?: number;
  /**
   * Milliseconds after which spend is forgotten, so that the circuit opens for a cool-down only; without it, spend adds up for
   * ever. A `store` of your own has to forget it itself.
   */
  readonly windowMs?: number;
  /**
   * Milliseconds after which the reservation of a call is released whose usage was never reported. A `store` of your own
   * has to do so itself.
   * @defaultValue 3_600_000
   */
  readonly reservationMs?: number;
  /** Where spend is kept; by default in memory. */
  readonly store?: BudgetStore;
  /**
   * Milliseconds within which a `store` of your own has to answer; the call it was asked about is refused then.
   * @defaultValue 10_000
   */
  readonly storeTimeoutMs?: number;
}

/** Limits that can be changed at run time. */
export type RaisedLimits = Pick<
  BudgetOptions,
  'maxUsd' | 'maxTokens' | 'perAgent' | 'perModel' | 'perConversation' | 'agents' | 'models'
>;

const RAISED_NAMES: OptionNames<RaisedLimits> = {
  maxUsd: true,
  maxTokens: true,
  perAgent: true,
  perModel: true,
  perConversation: true,
  agents: true,
  models: true,
};

const NAMES: OptionNames<BudgetOptions> = {
  ...RAISED_NAMES,
  warnAt: true,
  reserveUsd: true,
  reserveTokens: true,
  whenFull: true,
  spentUsd: true,
  windowMs: true,
  reservationMs: true,
  store: true,
  storeTimeoutMs: true,
};

const PURSE_NAMES: OptionNames<PurseOptions> = { maxUsd: true, maxTokens: true };

/** More would not fit an integer of nano-dollars. */
const MAX_USD = 9e6;

/** @throws {@link InvalidOptionError} naming the option, the expected and the received value. @internal */
export function checkBudget(options: BudgetOptions): void {
  checkNames('budget', options, NAMES);
  const { spentUsd, windowMs, reservationMs, warnAt, whenFull = 'stop' } = options;
  const { maxUsd, maxTokens, reserveUsd, reserveTokens, store } = options;
  const { storeTimeoutMs } = options;
  checkLimits(options);
  if (spentUsd !== undefined) finite('budget.spentUsd', spentUsd, 0, MAX_USD);
  if (spentUsd !== undefined && store !== undefined) {
    throw new InvalidOptionError('budget.spentUsd', 'nothing, as the store knows', spentUsd);
  }
  if (windowMs !== undefined) integer('budget.windowMs', windowMs, 1);
  if (reservationMs !== undefined) integer('budget.reservationMs', reservationMs, 1);
  if (storeTimeoutMs !== undefined) {
    integer('budget.storeTimeoutMs', storeTimeoutMs, 1, MAX_TIMEOUT_MS);
  }
  if (warnAt !== undefined) finite('budget.warnAt', warnAt, 0, 1);
  if (whenFull !== 'stop' && whenFull !== 'wait') {
    throw new InvalidOptionError('budget.whenFull', "'stop' or 'wait'", whenFull);
  }
  if (reserveUsd !== undefined) finite('budget.reserveUsd', reserveUsd, 0, maxUsd ?? 0);
  if (reserveTokens !== undefined) {
    integer('budget.reserveTokens', reserveTokens, 0, maxTokens ?? 0);
  }
}

/** @throws {@link InvalidOptionError} @internal */
export function checkRaised(limits: RaisedLimits): void {
  checkNames('budget', limits, RAISED_NAMES);
  checkLimits(limits);
}

function checkLimits(limits: RaisedLimits): void {
  checkPurse('budget', limits);
  for (const name of ['perAgent', 'perModel', 'perConversation'] as const) {
    const purse = limits[name];
    if (purse === undefined) continue;
    checkNames(`budget.${name}`, purse, PURSE_NAMES);
    checkPurse(`budget.${name}`, purse);
  }
  for (const name of ['agents', 'models'] as const) {
    const purses: unknown = limits[name];
    if (purses === undefined) continue;
    if (typeof purses !== 'object' || purses === null || Array.isArray(purses)) {
      throw new InvalidOptionError(`budget.${name}`, 'an object of limits by name', purses);
    }
    for (const [one, purse] of Object.entries(purses)) {
      checkNames(`budget.${name}.${one}`, purse, PURSE_NAMES);
      checkPurse(`budget.${name}.${one}`, purse);
    }
  }
}

function checkPurse(path: string, { maxUsd, maxTokens }: PurseOptions): void {
  if (maxUsd !== undefined) finite(`${path}.maxUsd`, maxUsd, 0, MAX_USD);
  if (maxTokens !== undefined) integer(`${path}.maxTokens`, maxTokens, 0);
}
