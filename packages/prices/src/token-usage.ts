import { PriceError, reading, shown } from './errors.ts';

/**
 * How a provider served a call, if not at its standard price: later, cheaper and slower, sooner, or by a faster machine.
 */
export type ServiceTier = 'batch' | 'flex' | 'priority' | 'fast';

/** Tokens of one model call, and what else a provider charges for. */
export interface TokenUsage {
  /** All tokens of the prompt: those of caches, sounds and pictures included. */
  readonly inputTokens: number;
  /** All tokens of the answer: its thoughts, sounds and pictures included. */
  readonly outputTokens: number;
  /**
   * Those of the prompt's tokens that the provider read from its cache.
   * @defaultValue 0
   */
  readonly cachedInputTokens?: number;
  /**
   * Those of the prompt's tokens that the provider wrote to its cache, for however long.
   * @defaultValue 0
   */
  readonly cacheWriteTokens?: number;
  /**
   * Those of the written tokens that stay for an hour or more.
   * @defaultValue 0
   */
  readonly cacheWrite1hTokens?: number;
  /**
   * Those of the prompt's tokens that are sound.
   * @defaultValue 0
   */
  readonly inputAudioTokens?: number;
  /**
   * Those of the tokens of sound that the provider read from its cache.
   * @defaultValue 0
   */
  readonly cachedAudioTokens?: number;
  /**
   * Those of the prompt's tokens that are pictures.
   * @defaultValue 0
   */
  readonly inputImageTokens?: number;
  /**
   * Those of the answer's tokens that are sound.
   * @defaultValue 0
   */
  readonly outputAudioTokens?: number;
  /**
   * Those of the answer's tokens that are pictures.
   * @defaultValue 0
   */
  readonly outputImageTokens?: number;
  /**
   * Those of the answer's tokens that are thoughts.
   * @defaultValue 0
   */
  readonly reasoningTokens?: number;
  /**
   * How often the provider itself searched the web.
   * @defaultValue 0
   */
  readonly webSearches?: number;
  /**
   * How the provider served the call.
   * @defaultValue at its standard price
   */
  readonly serviceTier?: ServiceTier;
}

/** A usage whose counts are all there, and can be. */
export type CheckedUsage = Required<Omit<TokenUsage, 'serviceTier'>> &
  Pick<TokenUsage, 'serviceTier'>;

type Counted = Exclude<keyof TokenUsage, 'serviceTier'>;

const TIERS: readonly unknown[] = ['batch', 'flex', 'priority', 'fast'] satisfies ServiceTier[];

/** The counts, and the one that each is a part of. */
const PART_OF: Readonly<Record<Counted, Counted | undefined>> = {
  inputTokens: undefined,
  outputTokens: undefined,
  cachedInputTokens: 'inputTokens',
  cacheWriteTokens: 'inputTokens',
  cacheWrite1hTokens: 'cacheWriteTokens',
  inputAudioTokens: 'inputTokens',
  cachedAudioTokens: 'inputAudioTokens',
  inputImageTokens: 'inputTokens',
  outputAudioTokens: 'outputTokens',
  outputImageTokens: 'outputTokens',
  reasoningTokens: 'outputTokens',
  webSearches: undefined,
};

/** @throws {@link PriceError} when a figure cannot be a number of tokens. */
export function checkUsage(usage: TokenUsage): CheckedUsage {
  return reading('INVALID_USAGE', 'usage', 'an object that can be read', usage, () => read(usage));
}

function read(usage: TokenUsage): CheckedUsage {
  const counts: Record<string, number> = {};
  for (const [field, whole] of Object.entries(PART_OF) as [Counted, Counted | undefined][]) {
    const isNeeded = field === 'inputTokens' || field === 'outputTokens';
    const value = isNeeded ? usage[field] : (usage[field] ?? 0);
    const max = whole === undefined ? Number.MAX_SAFE_INTEGER : (counts[whole] as number);
    if (!Number.isSafeInteger(value) || value < 0 || value > max) {
      const most = whole === undefined ? '' : ` to ${whole} (${max})`;
      throw new PriceError(
        'INVALID_USAGE',
        `usage.${field}: expected an integer from 0${most}, received ${shown(value)}`,
      );
    }
    counts[field] = value;
  }
  const { serviceTier } = usage;
  if (serviceTier !== undefined && !TIERS.includes(serviceTier)) {
    throw new PriceError(
      'INVALID_USAGE',
      `usage.serviceTier: expected one of ${TIERS.join(', ')}, received ${shown(serviceTier)}`,
    );
  }
  return { ...(counts as Record<Counted, number>), ...(serviceTier && { serviceTier }) };
}
