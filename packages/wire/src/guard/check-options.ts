import { InvalidOptionError } from '@teamfuse/core';
import { checkNames, type OptionNames } from '@teamfuse/core/kit';
import type { GuardFetchOptions } from './guard-fetch-options.ts';

const NAMES: OptionNames<GuardFetchOptions> = {
  agent: true,
  conversation: true,
  refusal: true,
  stopWord: true,
  fetch: true,
  streamUsage: true,
  failMode: true,
  onError: true,
};

/** {@link GuardFetchOptions} with the defaults filled in. */
export interface CheckedOptions
  extends Required<Omit<GuardFetchOptions, 'agent' | 'conversation'>> {
  readonly agent: GuardFetchOptions['agent'];
  readonly conversation: GuardFetchOptions['conversation'];
}

/**
 * Checks options and fills in the defaults.
 * @throws {@link InvalidOptionError} naming the option, the expected and the received value.
 */
export function checkOptions(options: GuardFetchOptions): CheckedOptions {
  checkNames('', options, NAMES);
  const {
    agent,
    conversation,
    refusal = 'error',
    stopWord = 'TERMINATE',
    fetch = (...args) => globalThis.fetch(...args),
    streamUsage = true,
    failMode = 'open',
    onError = showWarning,
  } = options;
  checkName('agent', agent);
  checkName('conversation', conversation);
  checkChoice('refusal', refusal, ['error', 'answer']);
  checkChoice('failMode', failMode, ['open', 'closed']);
  if (typeof stopWord !== 'string') throw new InvalidOptionError('stopWord', 'text', stopWord);
  if (typeof fetch !== 'function') throw new InvalidOptionError('fetch', 'a function', fetch);
  if (typeof onError !== 'function') throw new InvalidOptionError('onError', 'a function', onError);
  if (typeof streamUsage !== 'boolean') {
    throw new InvalidOptionError('streamUsage', 'true or false', streamUsage);
  }
  return { agent, conversation, refusal, stopWord, fetch, streamUsage, failMode, onError };
}

function checkName(option: string, value: GuardFetchOptions['agent']): void {
  if (value === undefined || typeof value === 'string' || typeof value === 'function') return;
  throw new InvalidOptionError(option, 'text or a function', value);
}

function checkChoice(option: string, value: string, choices: readonly string[]): void {
  if (choices.includes(value)) return;
  throw new InvalidOptionError(option, choices.map((one) => `'${one}'`).join(' or '), value);
}

/** Node shows a process warning; elsewhere there is the console. */
function showWarning(error: unknown): void {
  const text = error instanceof Error ? error.message : String(error);
  console.warn(`Teamfuse: a request was not guarded: ${text}`);
}
