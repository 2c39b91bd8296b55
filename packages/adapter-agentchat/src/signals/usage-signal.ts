import type { ChatItem } from '@teamfuse/agentchat';
import { costInUsd, type PriceBook, type TokenUsage, type UsageSignal } from '@teamfuse/core';
import type { Origin } from './origin.ts';

/** What messages do not say about the model calls they came from. */
export interface ModelKnowledge {
  /**
   * The model of each agent, or of all, for usage that is only seen on messages.
   * @defaultValue 'unknown'
   */
  readonly models?: string | Readonly<Record<string, string>>;
  /** Knows what model calls cost. Without it, or without a price for a model, the cost is unknown, never 0. */
  readonly prices?: PriceBook;
}

/** The signal of the usage an item carries, if it carries any. */
export function usageOf(
  { modelsUsage, source }: ChatItem,
  origin: Origin,
  { models = {}, prices }: ModelKnowledge,
): UsageSignal | undefined {
  if (modelsUsage === null || modelsUsage === undefined) return undefined;
  const model = (typeof models === 'string' ? models : models[source]) ?? 'unknown';
  const usage = tokenUsage(modelsUsage);
  return {
    kind: 'usage',
    ...origin,
    model,
    inputTokens: usage.inputTokens,
    outputTokens: usage.outputTokens,
    costUsd: costInUsd(prices, model, usage),
  };
}

/** Usage in the words of model clients. */
export interface RequestUsage {
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly cachedPromptTokens?: number;
}

/** The same usage in the words of price books. */
export function tokenUsage({
  promptTokens,
  completionTokens,
  cachedPromptTokens,
}: RequestUsage): TokenUsage {
  return {
    inputTokens: promptTokens,
    outputTokens: completionTokens,
    ...(cachedPromptTokens !== undefined && { cachedInputTokens: cachedPromptTokens }),
  };
}

/** The same knowledge, with prices that are reported and unknown when they cannot be asked for. */
export function carefully<T extends ModelKnowledge>(
  knowledge: T,
  report: (error: unknown) => void,
): T {
  const { prices } = knowledge;
  if (prices === undefined) return knowledge;
  const price: PriceBook['price'] = (model, usage) => {
    try {
      return checkedPrice(prices.price(model, usage));
    } catch (error) {
      report(error);
      return undefined;
    }
  };
  return { ...knowledge, prices: { price } };
}

function checkedPrice(price: ReturnType<PriceBook['price']>): ReturnType<PriceBook['price']> {
  if (price === undefined || (Number.isFinite(price.nanoUsd) && price.nanoUsd >= 0)) return price;
  throw new RangeError(
    `prices.price: expected nanoUsd of at least 0, received ${String(price.nanoUsd)}`,
  );
}
