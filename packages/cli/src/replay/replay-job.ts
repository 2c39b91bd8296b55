import type { BreakerOptions, FindingKind } from '@teamfuse/core';
import { mappedFormat } from '../formats/mapped.ts';
import { policyOf } from './policy.ts';
import type { FileOptions } from './replay-file.ts';

/** What to replay with, as plain data: the judge apart, it can be sent to another thread. */
export interface ReplayJob {
  /** The options of a policy file, on which those of `set` lie. */
  readonly base?: BreakerOptions | undefined;
  /** `name.of.option=value` for each option of the breaker that is set. */
  readonly set: readonly string[];
  readonly only?: readonly FindingKind[] | undefined;
  /** The file of a map for formats of one's own. */
  readonly map?: string | undefined;
  readonly judge?: BreakerOptions['judge'];
  /** Whether it is written down how each conversation went. */
  readonly isTraced?: boolean;
  /** How many files are read at the same time. */
  readonly threads: number;
}

/**
 * Makes ready what a job names.
 * @throws {@link InvalidOptionError}, {@link BadInputError}
 */
export async function toFileOptions({
  base,
  set,
  only,
  map,
  judge,
  isTraced = false,
}: ReplayJob): Promise<FileOptions> {
  const { GenaiPriceBook } = await import('@teamfuse/prices');
  return {
    policy: policyOf({ base, set, only, judge }),
    format: map === undefined ? undefined : await mappedFormat(map),
    prices: new GenaiPriceBook(),
    isJudged: judge !== undefined,
    isTraced,
  };
}
