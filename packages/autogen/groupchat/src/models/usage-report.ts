import type { ModelUser } from './model-access.ts';
import { addSummaries, noUsage, type UsageSummary } from './usage-summary.ts';

/** The model usage of agents, with and without cached answers. */
export interface ChatCost {
  readonly usageIncludingCachedInference: UsageSummary;
  readonly usageExcludingCachedInference: UsageSummary;
}

/** Adds up the model usage of agents; agents without a model are skipped. */
export function gatherUsageSummary(agents: readonly ModelUser[]): ChatCost {
  const sum = (summaries: readonly (UsageSummary | null | undefined)[]): UsageSummary =>
    summaries.reduce<UsageSummary>((all, one) => (one ? addSummaries(all, one) : all), noUsage);
  return {
    usageIncludingCachedInference: sum(agents.map(({ client }) => client?.totalUsageSummary)),
    usageExcludingCachedInference: sum(agents.map(({ client }) => client?.actualUsageSummary)),
  };
}
