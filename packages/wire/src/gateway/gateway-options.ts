import { type Breaker, InvalidOptionError } from '@teamfuse/core';
import {
  functionOf,
  type OptionTable,
  readOptions,
  type WithDefaults,
} from '@teamfuse/core/options';
import type { GuardFetchOptions } from '../guard/guard-fetch-options.ts';
import { GUARD_OPTIONS } from '../guard/index.ts';
import type { KnownKey } from './caller-key.ts';

/** Options of `createGateway()`. */
export interface GatewayOptions
  extends Pick<
    GuardFetchOptions,
    'refusal' | 'stopWord' | 'fetch' | 'failMode' | 'onError' | 'bounds' | 'streamUsage' | 'cutLaps'
  > {
  /** Where requests go, such as `https://api.openai.com`, with or without `/v1`. */
  readonly upstream: string;
  /**
   * The breaker, or a function that gives each team its own: `team` is that of the caller's key, of the path `/t/<team>/…` or of
   * the header `x-teamfuse-team`. For a team that does not exist it returns `undefined`; its requests are refused.
   * The breaker of a tenant (`for()`) charges that tenant alone, not the users and keys of its callers.
   */
  readonly breaker: Breaker | ((team: string | undefined) => Breaker | undefined);
  /**
   * What callers have to send as the header `x-teamfuse-token`. With it, the gateway may be reached under any host name.
   * @defaultValue none: this machine alone gets in
   */
  readonly token?: string;
  /** What is known of keys in advance. @defaultValue nothing: each has its fingerprint for a name, and belongs to no team */
  readonly keys?: readonly KnownKey[];
  /**
   * The key to ask the upstream with, where the options of a breaker say `judge`.
   * @defaultValue the key of the caller whose conversation it is
   */
  readonly judgeKey?: string;
  /**
   * What keys are hashed with for the ids of conversations; a secret. Gateways whose breakers share circuits need the same one, so
   * that a conversation has one id in all of them.
   * @defaultValue a random one for each gateway
   */
  readonly salt?: string;
  /** Is told in a sentence each time a request is refused because its caller made a mistake, with status 400, 403 or 404. */
  readonly onMistake?: (mistake: string) => void;
  /** Is told in a sentence each time the upstream cannot be reached. */
  readonly onUnreachable?: (problem: string) => void;
}

/** A gateway as servers take it. */
export interface Gateway {
  /** Answers a request. */
  fetch(request: Request): Promise<Response>;
}

type Undefined =
  | 'token'
  | 'keys'
  | 'judgeKey'
  | 'salt'
  | 'onMistake'
  | 'onUnreachable'
  | 'fetch'
  | 'onError'
  | 'bounds';

const { refusal, stopWord, fetch, failMode, onError, bounds, streamUsage, cutLaps } = GUARD_OPTIONS;
const OPTIONS: OptionTable<GatewayOptions, Undefined> = {
  upstream: { type: 'text', isRequired: true },
  breaker: { type: 'code', isRequired: true },
  token: { type: 'text' },
  keys: { type: 'code' },
  judgeKey: { type: 'text' },
  salt: { type: 'text' },
  onMistake: { type: 'code' },
  onUnreachable: { type: 'code' },
  refusal,
  stopWord,
  fetch,
  failMode,
  onError,
  bounds,
  streamUsage,
  cutLaps,
};

/** {@link GatewayOptions} with the defaults filled in. */
export type CheckedGatewayOptions = WithDefaults<GatewayOptions, Undefined> & {
  readonly breakerOf: (team: string | undefined) => Breaker | undefined;
};

/** @throws {@link InvalidOptionError} naming the option, the expected and the received value. */
export function checkGatewayOptions(given: GatewayOptions): CheckedGatewayOptions {
  const options = readOptions('', given, OPTIONS);
  const { upstream, breaker } = options;
  if (!isHttp(upstream)) {
    throw new InvalidOptionError('upstream', 'the address of an API, such as https://…', upstream);
  }
  if (hasMore(upstream)) {
    const expected = 'an address without a user, a password, a query and a fragment';
    const sentence = `option 'upstream': expected ${expected}`;
    throw new InvalidOptionError('upstream', expected, undefined, sentence);
  }
  checkKeys(options.keys ?? []);
  for (const name of ['onMistake', 'onUnreachable'] as const) {
    if (options[name]) functionOf(name, options[name]);
  }
  const isEach = typeof breaker === 'function';
  return {
    ...options,
    upstream: upstream.replace(/\/+$/, ''),
    breakerOf: isEach ? functionOf('breaker', breaker) : () => breaker,
  };
}

const SHA256 = /^[0-9a-f]{12,64}$/;

/** What is no fingerprint may be a key, and is not shown. */
function checkKeys(keys: GatewayOptions['keys']): void {
  const isList = Array.isArray(keys) && keys.every((one) => SHA256.test(Object(one).sha256));
  if (isList) return;
  const expected = 'a list with at least the first 12 digits of the SHA-256 of each key as sha256';
  throw new InvalidOptionError('keys', expected, undefined, `option 'keys': expected ${expected}`);
}

function isHttp(address: string): boolean {
  return URL.canParse(address) && /^https?:$/.test(new URL(address).protocol);
}

/** Whether an address holds more than a path can follow, or than others may see. */
function hasMore(address: string): boolean {
  const { username, password, search, hash } = new URL(address);
  return username + password + search + hash !== '';
}
