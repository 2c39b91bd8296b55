import { MAX_TIMEOUT_MS } from '../common/expiry-timer.ts';
import {
  type NestedOption,
  type OptionTable,
  readOptions,
  type WithDefaults,
} from '../common/option-table.ts';

/** How many model calls may begin, and be under way. What is beyond waits for its turn; a missing limit does not bind. */
export interface ThrottleLimits {
  /** Most model calls that begin within any minute. */
  readonly maxRpm?: number;
  /** Most model calls under way at a time, from their admission until their permit is released or their usage is observed. */
  readonly maxConcurrent?: number;
}

/**
 * Options that delay model calls. A call has to fit the limits of all, of its model and, where the request or {@link Breaker.for}
 * names them, of its user, its team and its API key. Who waits is served in turn, one call of each tenant after the other.
 *
 * @example
 * ```ts
 * const breaker = new Breaker({
 *   throttle: { maxRpm: 600, maxConcurrent: 40, perUser: { maxConcurrent: 2 }, models: { 'gpt-4o': { maxRpm: 120 } } },
 * });
 * await breaker.for({ user: 'ann' }).run({ kind: 'model-request', agent: 'clerk', model: 'gpt-4o' }, () => 'Hello.'); // => 'Hello.'
 * ```
 */
export interface ThrottleOptions extends ThrottleLimits {
  /** The limits of each user, team, API key or model. */
  readonly perUser?: ThrottleLimits;
  /** The limits of each user, team, API key or model. */
  readonly perTeam?: ThrottleLimits;
  /** The limits of each user, team, API key or model. */
  readonly perKey?: ThrottleLimits;
  /** The limits of each user, team, API key or model. */
  readonly perModel?: ThrottleLimits;
  /** The limits of single ones, by name; what they leave out is that of each. */
  readonly users?: Readonly<Record<string, ThrottleLimits>>;
  /** The limits of single ones, by name; what they leave out is that of each. */
  readonly teams?: Readonly<Record<string, ThrottleLimits>>;
  /** The limits of single ones, by name; what they leave out is that of each. */
  readonly keys?: Readonly<Record<string, ThrottleLimits>>;
  /** The limits of single ones, by name; what they leave out is that of each. */
  readonly models?: Readonly<Record<string, ThrottleLimits>>;
  /**
   * Most calls that wait. Beyond it, the latest call of whoever has most of them waiting is refused.
   * @defaultValue 1_000
   */
  readonly maxWaiting?: number;
  /**
   * Milliseconds that a call waits at most; then it is refused.
   * @defaultValue 120_000
   */
  readonly maxWaitMs?: number;
}

const LIMITS: OptionTable<ThrottleLimits, keyof ThrottleLimits> = {
  maxRpm: { type: 'integer', min: 1, max: 1_000_000 },
  maxConcurrent: { type: 'integer', min: 1 },
};
const EACH: NestedOption = { type: 'table', documentedBy: 'ThrottleLimits', of: LIMITS };
const BY_NAME: NestedOption = { type: 'named', documentedBy: 'ThrottleLimits', of: LIMITS };

type Unset = Exclude<keyof ThrottleOptions, 'maxWaiting' | 'maxWaitMs'>;

export const THROTTLE_OPTIONS: OptionTable<ThrottleOptions, Unset> = {
  ...LIMITS,
  perUser: EACH,
  perTeam: EACH,
  perKey: EACH,
  perModel: EACH,
  users: BY_NAME,
  teams: BY_NAME,
  keys: BY_NAME,
  models: BY_NAME,
  maxWaiting: { type: 'integer', min: 0, default: 1_000 },
  maxWaitMs: { type: 'integer', min: 1, max: MAX_TIMEOUT_MS, default: 120_000 },
};

/** Options with their defaults. */
export type CheckedThrottle = WithDefaults<ThrottleOptions, Unset>;

/** @throws {@link InvalidOptionError} naming the option, the expected and the received value. */
export function checkThrottle(options: ThrottleOptions): CheckedThrottle {
  return readOptions<ThrottleOptions, Unset>('throttle', options, THROTTLE_OPTIONS);
}
