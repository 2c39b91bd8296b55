import type { RequestUsage } from '@teamfuse/models';
import { GenaiPriceBook, toUsd } from '@teamfuse/prices';
import type { ConversableAgent } from '../agents/conversable-agent.ts';

/** The usage of one model. */
export interface ModelUsage {
  /** In dollars; `null` when the price is not known. */
  readonly cost: number | null;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly totalTokens: number;
}

/** The usage of several calls. */
export interface UsageSummary {
  /** In dollars; `null` when the price of some call is not known. */
  readonly totalCost: number | null;
  readonly models: Readonly<Record<string, ModelUsage>>;
}

/** The summary of no calls. */
export const noUsage: UsageSummary = { totalCost: 0, models: {} };

const publicPrices = new GenaiPriceBook();

/** The cost of one call, in dollars: by a price for 1,000 tokens, or else by the public price of the model. */
export function callCost(
  model: string,
  { promptTokens, completionTokens, cachedPromptTokens = 0 }: RequestUsage,
  price: readonly [number, number] | undefined,
): number | null {
  if (price) return (price[0] * promptTokens + price[1] * completionTokens) / 1000;
  const isCounted = [promptTokens, completionTokens, cachedPromptTokens].every(isCount);
  if (!isCounted || cachedPromptTokens > promptTokens) return null;
  const known = publicPrices.price(model, {
    inputTokens: promptTokens,
    outputTokens: completionTokens,
    cachedInputTokens: cachedPromptTokens,
  });
  return known ? toUsd(known) : null;
}

/** Returns a summary with one more call. */
export function addCall(
  summary: UsageSummary,
  model: string,
  { promptTokens, completionTokens }: RequestUsage,
  cost: number | null,
): UsageSummary {
  const totalTokens = promptTokens + completionTokens;
  const call = { cost, promptTokens, completionTokens, totalTokens };
  return addSummaries(summary, { totalCost: cost, models: { [model]: call } });
}

/** Adds two summaries. */
function addSummaries(one: UsageSummary, other: UsageSummary): UsageSummary {
  const models: Record<string, ModelUsage> = { ...one.models };
  for (const [model, usage] of Object.entries(other.models)) {
    const known = models[model];
    models[model] = known ? addUsage(known, usage) : usage;
  }
  return { totalCost: addCosts(one.totalCost, other.totalCost), models };
}

/** The model usage of agents, with and without cached answers. */
export interface ChatCost {
  readonly usageIncludingCachedInference: UsageSummary;
  readonly usageExcludingCachedInference: UsageSummary;
}

/** Adds up the model usage of agents; agents without a model are skipped. */
export function gatherUsageSummary(agents: readonly Pick<ConversableAgent, 'client'>[]): ChatCost {
  const sum = (summaries: readonly (UsageSummary | null | undefined)[]): UsageSummary =>
    summaries.reduce<UsageSummary>((all, one) => (one ? addSummaries(all, one) : all), noUsage);
  return {
    usageIncludingCachedInference: sum(agents.map(({ client }) => client?.totalUsageSummary)),
    usageExcludingCachedInference: sum(agents.map(({ client }) => client?.actualUsageSummary)),
  };
}

function addUsage(one: ModelUsage, other: ModelUsage): ModelUsage {
  return {
    cost: addCosts(one.cost, other.cost),
    promptTokens: one.promptTokens + other.promptTokens,
    completionTokens: one.completionTokens + other.completionTokens,
    totalTokens: one.totalTokens + other.totalTokens,
  };
}

function addCosts(one: number | null, other: number | null): number | null {
  return one === null || other === null ? null : one + other;
}

/** A server may report anything. */
function isCount(tokens: number): boolean {
  return Number.isSafeInteger(tokens) && tokens >= 0;
}
