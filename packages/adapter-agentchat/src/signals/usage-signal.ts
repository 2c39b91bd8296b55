import { modelOf, type Origin, readUsage, tokenUsage } from '@teamfuse/adapter-kit';
import type { ChatItem } from '@teamfuse/agentchat';
import { costInUsd, type PriceBook, type UsageSignal } from '@teamfuse/core';

/** The model and the prices of model calls whose usage is only reported on messages. */
export interface ModelKnowledge {
  readonly models?: string | Readonly<Record<string, string>>;
  readonly prices?: PriceBook | undefined;
}

/** The signal of the usage an item carries, if it carries any. */
export function usageOf(
  { modelsUsage, source }: ChatItem,
  origin: Origin,
  { models, prices }: ModelKnowledge,
): UsageSignal | undefined {
  const given = tokenUsage(modelsUsage);
  if (given === undefined) return undefined;
  const model = modelOf(models, source) ?? 'unknown';
  const usage = readUsage(given);
  return {
    kind: 'usage',
    ...origin,
    model,
    inputTokens: usage?.inputTokens ?? 0,
    outputTokens: usage?.outputTokens ?? 0,
    costUsd: usage === undefined ? null : costInUsd(prices, model, usage),
  };
}
