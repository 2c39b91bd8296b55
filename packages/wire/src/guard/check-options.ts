import { type Breaker, InvalidOptionError, redactSecrets } from '@teamfuse/core';
import { noticeText, tell } from '@teamfuse/core/kit';
import {
  functionOf,
  type OptionTable,
  readOptions,
  type WithDefaults,
} from '@teamfuse/core/options';
import { BOUND_OPTIONS, type CheckedBounds } from './bounds.ts';
import type { GuardFetchOptions } from './guard-fetch-options.ts';

type Undefined = 'agent' | 'conversation' | 'fetch' | 'onError' | 'bounds' | 'nudge';

/** The options of a guard. */
export const GUARD_OPTIONS: OptionTable<GuardFetchOptions, Undefined> = {
  agent: { type: 'code' },
  conversation: { type: 'code' },
  refusal: { type: 'choice', values: ['error', 'answer'], default: 'error' },
  nudge: { type: 'code' },
  cutLaps: { type: 'flag', default: false },
  stopWord: { type: 'text', default: 'TERMINATE' },
  fetch: { type: 'code' },
  streamUsage: { type: 'flag', default: true },
  failMode: { type: 'choice', values: ['open', 'closed'], default: 'open' },
  onError: { type: 'code' },
  bounds: { type: 'table', documentedBy: 'RequestBounds', of: BOUND_OPTIONS },
};

/** {@link GuardFetchOptions} with the defaults filled in. */
export interface CheckedOptions extends WithDefaults<GuardFetchOptions, 'agent' | 'conversation'> {
  readonly bounds: CheckedBounds;
}

/**
 * Checks options and fills in the defaults.
 * @throws {@link InvalidOptionError} naming the option, the expected and the received value.
 */
export function checkOptions(given: GuardFetchOptions): CheckedOptions {
  const options = readOptions('', given, GUARD_OPTIONS);
  const { fetch = globalFetch, onError = showWarning, nudge = noticeText } = options;
  checkName('agent', options.agent);
  checkName('conversation', options.conversation);
  return {
    ...options,
    bounds: readOptions('bounds', options.bounds ?? {}, BOUND_OPTIONS),
    nudge: functionOf('nudge', nudge),
    fetch: functionOf('fetch', fetch),
    onError: neverThrowing(functionOf('onError', onError)),
  };
}

/** A call goes on, and a stream, whatever becomes of telling the user what went wrong. */
function neverThrowing(listener: (error: unknown) => void): (error: unknown) => void {
  return (error) => tell(listener, error);
}

/** @throws {@link InvalidOptionError} for anything but a breaker, of this copy of core or another. */
export function checkBreaker(breaker: Breaker): void {
  try {
    if (typeof breaker.conversation === 'function') return;
  } catch {
    // What cannot be read is none.
  }
  throw new InvalidOptionError('breaker', 'a Breaker', breaker);
}

function checkName(option: string, value: GuardFetchOptions['agent']): void {
  if (value === undefined || typeof value === 'string' || typeof value === 'function') return;
  throw new InvalidOptionError(option, 'text or a function', value);
}

const globalFetch: typeof fetch = (...args) => globalThis.fetch(...args);

function showWarning(error: unknown): void {
  const text = error instanceof Error ? error.message : String(error);
  console.warn(redactSecrets(`Teamfuse: a request was not guarded: ${text}`));
}
