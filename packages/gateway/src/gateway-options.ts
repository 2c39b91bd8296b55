import { type Breaker, InvalidOptionError } from '@teamfuse/core';
import { functionOf, type OptionTable, readOptions, type WithDefaults } from '@teamfuse/core/kit';
import type { GuardFetchOptions } from '@teamfuse/wire';
import { GUARD_OPTIONS } from '@teamfuse/wire/guard';

/** Options of `createGateway()`. */
export interface GatewayOptions
  extends Pick<GuardFetchOptions, 'refusal' | 'stopWord' | 'fetch' | 'failMode' | 'onError'> {
  /** Where requests go, such as `https://api.openai.com`: everything before `/v1`. */
  readonly upstream: string;
  /** The breaker, or a function that gives each team its own: `team` is that of the path `/t/<team>/…`. */
  readonly breaker: Breaker | ((team: string | undefined) => Breaker);
  /**
   * What callers have to send as the header `x-teamfuse-token`. With it, the gateway may be reached under any host name.
   * @defaultValue none: this machine alone gets in
   */
  readonly token?: string;
}

/** A gateway as servers take it. */
export interface Gateway {
  /** Answers a request. */
  fetch(request: Request): Promise<Response>;
}

type Undefined = 'token' | 'fetch' | 'onError';

const { refusal, stopWord, fetch, failMode, onError } = GUARD_OPTIONS;
const OPTIONS: OptionTable<GatewayOptions, Undefined> = {
  upstream: { type: 'text', isRequired: true },
  breaker: { type: 'code', isRequired: true },
  token: { type: 'text' },
  refusal,
  stopWord,
  fetch,
  failMode,
  onError,
};

/** {@link GatewayOptions} with the defaults filled in. */
export type CheckedGatewayOptions = WithDefaults<GatewayOptions, Undefined> & {
  readonly breakerOf: (team: string | undefined) => Breaker;
};

/** @throws {@link InvalidOptionError} naming the option, the expected and the received value. */
export function checkGatewayOptions(given: GatewayOptions): CheckedGatewayOptions {
  const options = readOptions('', given, OPTIONS);
  const { upstream, breaker } = options;
  if (!isHttp(upstream)) {
    throw new InvalidOptionError('upstream', 'the address of an API, such as https://…', upstream);
  }
  const isEach = typeof breaker === 'function';
  return {
    ...options,
    upstream: upstream.replace(/\/+$/, ''),
    breakerOf: isEach ? functionOf('breaker', breaker) : () => breaker,
  };
}

function isHttp(address: string): boolean {
  return URL.canParse(address) && /^https?:$/.test(new URL(address).protocol);
}
