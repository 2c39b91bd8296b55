import type { Origin } from '@teamfuse/adapter-kit';
import type { ChatItem } from '@teamfuse/agentchat';
import { readUsage } from '@teamfuse/core';
import type { Pricing, UsageSignal } from '@teamfuse/core/kit';

/** The signal of the usage an item carries, if it carries any. */
export function usageOf(
  { modelsUsage, source }: ChatItem,
  origin: Origin,
  pricing: Pricing | undefined,
): UsageSignal | undefined {
  if (modelsUsage === null || modelsUsage === undefined) return undefined;
  const model = pricing?.modelOf(source) ?? 'unknown';
  const usage = readUsage(modelsUsage);
  return {
    kind: 'usage',
    ...origin,
    model,
    inputTokens: 0,
    outputTokens: 0,
    costUsd: null,
    ...usage,
    ...(usage && usage.costUsd === undefined && pricing?.cost(source, model, usage)),
  };
}
