import type { JudgeUsage } from '../budget/metering.ts';
import { show } from '../common/errors.ts';
import { isCount } from '../common/json.ts';
import type { Confirmation } from './question.ts';

export interface Answer {
  readonly probability: number;
  /** May be empty. */
  readonly reason: string;
  readonly usage?: JudgeUsage | undefined;
}

/**
 * Normalizes the answer of a judge. An invalid usage is dropped and passed to `report`.
 * @throws TypeError if it is not an answer.
 */
export function readAnswer(value: unknown, report: (error: unknown) => void): Answer {
  if (typeof value === 'boolean') return { probability: value ? 1 : 0, reason: '' };
  if (typeof value === 'number') return { probability: checked(value), reason: '' };
  if (typeof value !== 'object' || value === null) throw unexpected(value);
  const { probability, reason, usage } = value as Partial<Confirmation>;
  return {
    probability: checked(probability),
    reason: typeof reason === 'string' ? reason : '',
    usage: usage === undefined ? undefined : readJudgeUsage(usage, report),
  };
}

function checked(probability: unknown): number {
  const isValid = typeof probability === 'number' && probability >= 0 && probability <= 1;
  if (!isValid) throw unexpected(probability);
  return probability;
}

/** What an answer took. One that cannot be read is dropped and passed to `report`. */
export function readJudgeUsage(
  usage: unknown,
  report: (error: unknown) => void,
): JudgeUsage | undefined {
  const { inputTokens, outputTokens, costUsd } = Object(usage);
  if (isCount(inputTokens) && isCount(outputTokens)) {
    const isPriced = Number.isFinite(costUsd) && costUsd >= 0;
    return { inputTokens, outputTokens, costUsd: isPriced ? costUsd : null };
  }
  const received = `${show(inputTokens)} and ${show(outputTokens)}`;
  const expected = 'counts of tokens as usage.inputTokens and usage.outputTokens';
  report(new TypeError(`judge: expected ${expected}, received ${received}`));
  return undefined;
}

function unexpected(value: unknown): TypeError {
  return new TypeError(
    `judge: expected true, false or a probability from 0 to 1, received ${show(value)}`,
  );
}
