import { modelOf, type Origin, readUsage } from '@teamfuse/adapter-kit';
import type { ChatItem } from '@teamfuse/agentchat';
import { costInUsd, type PriceBook, type TokenUsage, type UsageSignal } from '@teamfuse/core';

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
  if (modelsUsage === null || modelsUsage === undefined) return undefined;
  const model = modelOf(models, source) ?? 'unknown';
  const usage = readUsage(tokenUsage(modelsUsage));
  return {
    kind: 'usage',
    ...origin,
    model,
    inputTokens: usage?.inputTokens ?? 0,
    outputTokens: usage?.outputTokens ?? 0,
    costUsd: usage === undefined ? null : costInUsd(prices, model, usage),
  };
}

/** Usage in the words of model clients. */
export interface RequestUsage {
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly cachedPromptTokens?: number;
}

/** The same usage in the words of price books. */
export function tokenUsage(usage: RequestUsage | null | undefined): TokenUsage | undefined {
  if (usage === null || usage === undefined) return undefined;
  const { promptTokens, completionTokens, cachedPromptTokens } = usage;
  return {
    inputTokens: promptTokens,
    outputTokens: completionTokens,
    ...(cachedPromptTokens !== undefined && { cachedInputTokens: cachedPromptTokens }),
  };
}
