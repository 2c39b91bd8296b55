import { InvalidOptionError } from '@teamfuse/core';
import type { Timers } from '@teamfuse/core/kit';
import { functionOf, type OptionTable, orInvalid, readOptions } from '@teamfuse/core/options';
import { type Attributes, attributesIn } from './attributes.ts';
import { hidden, hiding } from './hidden-value.ts';
import type { NotifyError } from './notify-error.ts';
import { type Bytes, EXPECTED_SECRET, keyIn } from './signature.ts';

/** Options of {@link notifyTrips}. */
export interface NotifyOptions {
  /** Where messages go: an address with `http:` or `https:`. No error repeats it, since that of a Slack webhook is a secret. */
  readonly url: string;
  /**
   * What is sent: `json` is a {@link TripNotification}, `slack` a message as incoming webhooks of Slack take it.
   * @defaultValue 'json'
   */
  readonly form?: 'json' | 'slack';
  /**
   * Signs each message as Standard Webhooks do: `whsec_` and base64, or any other text, of at least 24 bytes. One that is named
   * and missing, such as an unset variable of the environment, is refused.
   * @defaultValue nothing is signed
   */
  readonly secret?: string | undefined;
  /** What each message says of its sender, such as the name of the team; at most 20. @defaultValue none */
  readonly attributes?: Attributes;
  /**
   * Milliseconds to wait for an answer.
   * @defaultValue 10_000
   */
  readonly timeoutMs?: number;
  /**
   * How often a message is sent until it is given up.
   * @defaultValue 5
   */
  readonly attempts?: number;
  /**
   * Most trips that wait while another one is sent. Beyond it, the oldest is given up.
   * @defaultValue 1_000
   */
  readonly maxPending?: number;
  /** Called with each trip that is given up. @defaultValue the breaker emits it as an `error` */
  readonly onError?: (error: NotifyError) => unknown;
  /** Sends the requests. @defaultValue the global `fetch` */
  readonly fetch?: typeof fetch;
  /** The clock, in milliseconds since 1970: receivers refuse a signature of another time. @defaultValue that of the machine */
  readonly now?: () => number;
  /** A number from 0 to 1 that spreads retries of many processes. @defaultValue `Math.random` */
  readonly random?: () => number;
  /** The timers, such as those of a `FakeClock`. @defaultValue those of the machine, which keep no process alive */
  readonly timers?: Timers;
}

type WithoutDefault = 'secret' | 'attributes' | 'onError' | 'fetch' | 'now' | 'random' | 'timers';

const OPTIONS: OptionTable<NotifyOptions, WithoutDefault> = {
  url: { type: 'text', isRequired: true },
  form: { type: 'choice', values: ['json', 'slack'], default: 'json' },
  secret: { type: 'text' },
  attributes: { type: 'code' },
  timeoutMs: { type: 'integer', min: 1, max: 600_000, default: 10_000 },
  attempts: { type: 'integer', min: 1, max: 20, default: 5 },
  maxPending: { type: 'integer', min: 1, max: 100_000, default: 1_000 },
  onError: { type: 'code' },
  fetch: { type: 'code' },
  now: { type: 'code' },
  random: { type: 'code' },
  timers: { type: 'code' },
};

/** What may hold a secret: these options, and a misspelt one. */
const { url: _url, secret: _secret, ...SHOWN } = OPTIONS;

/** The timers of the machine. They keep no process alive. */
const TIMERS: Timers = {
  set: (ring, ms) => {
    const timer = setTimeout(ring, ms);
    // In Deno, a timer is a number.
    timer.unref?.();
    return timer;
  },
  clear: (timer) => clearTimeout(timer as NodeJS.Timeout),
};

/** Options with their defaults, and the key that signs. */
export type CheckedOptions = Omit<Required<NotifyOptions>, 'onError' | 'secret'> &
  Pick<NotifyOptions, 'onError'> & { readonly key: Bytes | undefined };

/** Checks options and fills in the defaults. @throws {@link InvalidOptionError} */
export function readNotifyOptions(given: NotifyOptions): CheckedOptions {
  const { secret: _, ...options } = hiding(SHOWN, () =>
    readOptions<NotifyOptions, WithoutDefault>('', given, OPTIONS),
  );
  const { onError, attributes = {}, timers = TIMERS } = options;
  // The global one is read with each call: programs replace it.
  const { fetch = (...request) => globalThis.fetch(...request) } = options;
  const { now = Date.now, random = Math.random } = options;
  return {
    ...options,
    url: addressIn(options.url),
    key: keyOf(given),
    attributes: attributesIn(attributes),
    ...(onError !== undefined && { onError: functionOf('onError', onError) }),
    fetch: functionOf('fetch', fetch),
    now: functionOf('now', now),
    random: functionOf('random', random),
    timers: timersIn(timers),
  };
}

function addressIn(url: string): string {
  const { protocol, username, password } = URL.canParse(url) ? new URL(url) : NOWHERE;
  if (protocol !== 'http:' && protocol !== 'https:') {
    throw hidden('url', 'an address with http: or https:');
  }
  // No `fetch` takes them.
  if (username !== '' || password !== '') {
    throw hidden('url', 'an address without a user and a password');
  }
  return url;
}

const NOWHERE = { protocol: '', username: '', password: '' };

function keyOf(given: NotifyOptions): CheckedOptions['key'] {
  if (!Object.hasOwn(given, 'secret')) return undefined;
  const { secret } = given;
  if (secret === undefined) throw new InvalidOptionError('secret', EXPECTED_SECRET, secret);
  const key = keyIn(secret);
  if (key === undefined) throw hidden('secret', EXPECTED_SECRET);
  return key;
}

function timersIn(timers: Timers): Timers {
  return orInvalid('timers', 'an object with set and clear', timers, () => ({
    set: functionOf('timers.set', timers.set),
    clear: functionOf('timers.clear', timers.clear),
  }));
}
