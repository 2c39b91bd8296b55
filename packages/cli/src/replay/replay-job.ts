import { type BreakerOptions, InvalidOptionError } from '@teamfuse/core';
import type { FindingKind } from '@teamfuse/core/detectors';
import { costInUsd } from '@teamfuse/core/kit';
import { priceBookOf } from '@teamfuse/core/options';
import { mappedFormat } from '../formats/mapped.ts';
import type { AskedJudge } from './asked-judge.ts';
import { Costliest, MAX_DETAILS } from './costliest.ts';
import { KeptRecordings } from './kept.ts';
import { policyOf } from './policy.ts';
import type { FileOptions } from './replay-file.ts';

/** What to replay with, as plain data: the judge apart, it can be sent to another thread. */
export interface ReplayJob {
  /** The options of a policy file, on which those of `set` lie. */
  readonly base?: BreakerOptions | undefined;
  /** `name.of.option=value` for each option of the breaker that is set. */
  readonly set: readonly string[];
  readonly only?: readonly FindingKind[] | undefined;
  /** The file of a map for files that no format recognises. */
  readonly map?: string | undefined;
  /** The model of calls whose recording names none. */
  readonly model?: string | undefined;
  readonly judge?: AskedJudge | undefined;
  /** Whether the conversations with the costliest trips are traced in detail. */
  readonly isTraced?: boolean;
  /** Whether trips are given in full. */
  readonly isExplained?: boolean;
  /** How many characters of recordings all threads together keep, to be replayed again; none by default. */
  readonly maxKept?: number | undefined;
  /** How many threads read at the same time. */
  readonly threads: number;
}

const ONE_TOKEN = { inputTokens: 1, outputTokens: 1 };

/**
 * Makes ready what a job names.
 * @throws {@link InvalidOptionError}, {@link BadInputError}
 */
export async function toFileOptions({
  base,
  set,
  only,
  map,
  model,
  judge,
  isTraced = false,
  isExplained = false,
  maxKept,
  threads,
}: ReplayJob): Promise<FileOptions> {
  const { GenaiPriceBook } = await import('@teamfuse/prices');
  const policy = policyOf({ base, set, only, judge: judge?.confirm });
  const prices = priceBookOf(policy.options.prices ?? {}, new GenaiPriceBook());
  if (model !== undefined && costInUsd(prices, model, ONE_TOKEN) === null) {
    throw new InvalidOptionError('--model', 'a model whose price is known', model);
  }
  return {
    policy,
    fallback: map === undefined ? undefined : await mappedFormat(map),
    prices,
    model,
    isJudged: judge !== undefined,
    isExplained,
    kept: maxKept === undefined ? undefined : new KeptRecordings(maxKept / threads),
    traced: isTraced ? new Costliest(MAX_DETAILS) : undefined,
  };
}
