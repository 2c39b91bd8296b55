import { PriceError, reading, shown } from './errors.ts';

/** Tokens of one model call. */
export interface TokenUsage {
  /** All tokens of the prompt, those read from the provider's cache included. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  /**
   * Those of the prompt's tokens that the provider read from its cache.
   * @defaultValue 0
   */
  readonly cachedInputTokens?: number;
}

/** @throws {@link PriceError} when a figure cannot be a number of tokens. */
export function checkUsage(usage: TokenUsage): Required<TokenUsage> {
  return reading('INVALID_USAGE', 'usage', 'an object that can be read', usage, () => read(usage));
}

function read({
  inputTokens,
  outputTokens,
  cachedInputTokens = 0,
}: TokenUsage): Required<TokenUsage> {
  checkCount('inputTokens', inputTokens, Number.MAX_SAFE_INTEGER);
  checkCount('outputTokens', outputTokens, Number.MAX_SAFE_INTEGER);
  checkCount('cachedInputTokens', cachedInputTokens, inputTokens);
  return { inputTokens, outputTokens, cachedInputTokens };
}

function checkCount(field: keyof TokenUsage, value: number, max: number): void {
  if (Number.isSafeInteger(value) && value >= 0 && value <= max) return;
  const most = field === 'cachedInputTokens' ? ` to inputTokens (${max})` : '';
  throw new PriceError(
    'INVALID_USAGE',
    `usage.${field}: expected an integer from 0${most}, received ${shown(value)}`,
  );
}
