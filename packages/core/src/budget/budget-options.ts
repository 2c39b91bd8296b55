import { InvalidOptionError } from '../common/errors.ts';
import { MAX_TIMEOUT_MS } from '../common/expiry-timer.ts';
import {
  type NestedOption,
  type OptionTable,
  readOptions,
  type WithDefaults,
} from '../common/option-table.ts';
import { checkNames, finite, integer, OPTIONS_PAGE, orInvalid } from '../common/options.ts';
import { Calendar } from './calendar.ts';
import type { BudgetStore } from './store/budget-store.ts';

/** The most that may be spent out of one purse; a missing limit does not bind. */
export interface PurseOptions {
  /** Most US dollars. */
  readonly maxUsd?: number;
  /** Most input and output tokens. */
  readonly maxTokens?: number;
}

/** The purses of one owner: for ever, and for each day and month of the calendar. A call has to fit all of them. */
export interface OwnerPurses extends PurseOptions {
  /** The limits of each day, or each month, of {@link BudgetOptions.timeZone}. */
  readonly perDay?: PurseOptions;
  /** The limits of each day, or each month, of {@link BudgetOptions.timeZone}. */
  readonly perMonth?: PurseOptions;
}

/**
 * Options of {@link Budget}. Without a limit, spend is recorded and nothing is refused.
 *
 * A call is charged to all of its purses: the whole budget and those of its agent, its model, its conversation and, where the
 * request or {@link Breaker.for} names them, its user, its team and its API key. It is refused if one of them does not suffice.
 *
 * @example
 * ```ts
 * const breaker = new Breaker({
 *   budget: { maxUsd: 6, perConversation: { maxUsd: 2 }, agents: { critic: { maxUsd: 0.5 } }, warnAt: 0.8 },
 * });
 * breaker.trackCost(0.75, 'critic');
 * breaker.conversation().trip?.reason; // => "the budget of agent 'critic' ($0.50) is used up: $0.75 spent"
 * ```
 */
export interface BudgetOptions extends OwnerPurses {
  /** Most US dollars the whole team may spend, nested chats included. */
  readonly maxUsd?: number;
  /** Most input and output tokens the whole team may use. */
  readonly maxTokens?: number;
  /** The limits of each agent, or each model. */
  readonly perAgent?: OwnerPurses;
  /** The limits of each agent, or each model. */
  readonly perModel?: OwnerPurses;
  /** The limits of each conversation; they start from zero with its next run and its reset. */
  readonly perConversation?: PurseOptions;
  /** The limits of each user, team or API key: a tenant ({@link Breaker.for}), or one that a `model-request` names. */
  readonly perUser?: OwnerPurses;
  /** The limits of each user, team or API key: a tenant ({@link Breaker.for}), or one that a `model-request` names. */
  readonly perTeam?: OwnerPurses;
  /** The limits of each user, team or API key: a tenant ({@link Breaker.for}), or one that a `model-request` names. */
  readonly perKey?: OwnerPurses;
  /** The limits of single ones, by name; what they leave out is that of each. */
  readonly agents?: Readonly<Record<string, OwnerPurses>>;
  /** The limits of single ones, by name; what they leave out is that of each. */
  readonly models?: Readonly<Record<string, OwnerPurses>>;
  /** The limits of single ones, by name; what they leave out is that of each. */
  readonly users?: Readonly<Record<string, OwnerPurses>>;
  /** The limits of single ones, by name; what they leave out is that of each. */
  readonly teams?: Readonly<Record<string, OwnerPurses>>;
  /** The limits of single ones, by name; what they leave out is that of each. */
  readonly keys?: Readonly<Record<string, OwnerPurses>>;
  /**
   * The share of a limit, from 0 to 1, at which the team is warned: once per purse, and again after the limit is raised.
   * @defaultValue no warning
   */
  readonly warnAt?: number;
  /**
   * US dollars of `maxUsd` that are kept back for calls with {@link ModelRequestSignal.isWrapUp}.
   * @defaultValue 0
   */
  readonly reserveUsd?: number;
  /**
   * Tokens of `maxTokens` that are kept back for calls with {@link ModelRequestSignal.isWrapUp}.
   * @defaultValue 0
   */
  readonly reserveTokens?: number;
  /**
   * How limits of tokens count text that was read from a cache: `full`, or `by-price`, in proportion to its price against that of plain text. Where the
   * price list lacks one of the two, it counts in full. {@link Breaker.cost} has all tokens.
   * @defaultValue 'full'
   */
  readonly cacheReads?: 'full' | 'by-price';
  /**
   * `stop` refuses a call that does not fit; `wait` queues it until running calls finish. Model
   * calls inside other model calls would wait for each other.
   * @defaultValue 'stop'
   */
  readonly whenFull?: 'stop' | 'wait';
  /**
   * US dollars spent in earlier processes. Cannot be combined with `store`.
   * @defaultValue 0
   */
  readonly spentUsd?: number;
  /**
   * Milliseconds after which spend is forgotten, but that of `perDay` and `perMonth`, so that `maxUsd` is a rate beside these
   * totals; the circuit then opens for a cool-down only. A custom `store` must implement this itself.
   */
  readonly windowMs?: number;
  /**
   * Milliseconds after which a reservation expires if the usage of its call was never reported. A custom `store` must
   * implement this itself.
   * @defaultValue 3_600_000
   */
  readonly reservationMs?: number;
  /**
   * The time zone of `perDay` and `perMonth`. A call belongs to the day in which it was admitted, by the breaker's clock.
   * @defaultValue 'UTC'
   */
  readonly timeZone?: string;
  /** Where spend is kept; by default in memory. */
  readonly store?: BudgetStore;
  /**
   * Milliseconds within which a custom `store` must answer; after that, it has failed.
   * @defaultValue 10_000
   */
  readonly storeTimeoutMs?: number;
}

/** Limits that {@link Breaker.raise} changes. */
export type RaisedLimits = Pick<
  BudgetOptions,
  | 'maxUsd'
  | 'maxTokens'
  | 'perDay'
  | 'perMonth'
  | 'perAgent'
  | 'perModel'
  | 'perConversation'
  | 'perUser'
  | 'perTeam'
  | 'perKey'
  | 'agents'
  | 'models'
  | 'users'
  | 'teams'
  | 'keys'
>;

/** More would not fit an integer of nano-dollars. */
const MAX_USD = 9e6;

const PURSE: OptionTable<PurseOptions, keyof PurseOptions> = {
  maxUsd: { type: 'number', min: 0, max: MAX_USD },
  maxTokens: { type: 'integer', min: 0 },
};
const ONE_PURSE: NestedOption = { type: 'table', documentedBy: 'PurseOptions', of: PURSE };
const OWNERS_PURSES: OptionTable<OwnerPurses, keyof OwnerPurses> = {
  ...PURSE,
  perDay: ONE_PURSE,
  perMonth: ONE_PURSE,
};
const EACH: NestedOption = { type: 'table', documentedBy: 'OwnerPurses', of: OWNERS_PURSES };
const BY_NAME: NestedOption = { type: 'named', documentedBy: 'OwnerPurses', of: OWNERS_PURSES };

export const RAISED_OPTIONS: OptionTable<RaisedLimits, keyof RaisedLimits> = {
  ...OWNERS_PURSES,
  perAgent: EACH,
  perModel: EACH,
  perConversation: ONE_PURSE,
  perUser: EACH,
  perTeam: EACH,
  perKey: EACH,
  agents: BY_NAME,
  models: BY_NAME,
  users: BY_NAME,
  teams: BY_NAME,
  keys: BY_NAME,
};

type Unset = keyof RaisedLimits | 'warnAt' | 'windowMs' | 'store';

export const BUDGET_OPTIONS: OptionTable<BudgetOptions, Unset> = {
  ...RAISED_OPTIONS,
  warnAt: { type: 'number', min: 0, max: 1 },
  reserveUsd: { type: 'number', min: 0, max: MAX_USD, default: 0 },
  reserveTokens: { type: 'integer', min: 0, default: 0 },
  cacheReads: { type: 'choice', values: ['full', 'by-price'], default: 'full' },
  whenFull: { type: 'choice', values: ['stop', 'wait'], default: 'stop' },
  spentUsd: { type: 'number', min: 0, max: MAX_USD, default: 0 },
  windowMs: { type: 'integer', min: 1 },
  reservationMs: { type: 'integer', min: 1, default: 3_600_000 },
  timeZone: { type: 'text', default: 'UTC' },
  store: { type: 'code' },
  storeTimeoutMs: { type: 'integer', min: 1, max: MAX_TIMEOUT_MS, default: 10_000 },
};

/** Options with their defaults. */
export type CheckedBudget = WithDefaults<BudgetOptions, Unset>;

/** @throws {@link InvalidOptionError} naming the option, the expected and the received value. */
export function checkBudget(options: BudgetOptions): CheckedBudget {
  checkNames('budget', options, BUDGET_OPTIONS, OPTIONS_PAGE);
  const read = readOptions<BudgetOptions, Unset>('budget', options, BUDGET_OPTIONS);
  const { store, maxUsd = 0, maxTokens = 0, reserveUsd, reserveTokens } = read;
  const { spentUsd, timeZone } = options;
  if (spentUsd !== undefined && store !== undefined) {
    const sentence =
      'budget.spentUsd cannot be combined with budget.store, which knows what was spent';
    throw new InvalidOptionError('budget.spentUsd', 'nothing', spentUsd, sentence);
  }
  if (timeZone !== undefined) new Calendar(timeZone);
  orInvalid('budget.store', 'a readable store', store, () => store?.reserve);
  finite('budget.reserveUsd', reserveUsd, 0, maxUsd);
  integer('budget.reserveTokens', reserveTokens, 0, maxTokens);
  return read;
}
