import type { ModelUser } from './model-access.ts';
import { addSummaries, noUsage, type UsageSummary } from './usage-summary.ts';

/** What agents' models were used for, with and without answers out of a cache. */
export interface ChatCost {
  readonly usageIncludingCachedInference: UsageSummary;
  readonly usageExcludingCachedInference: UsageSummary;
}

/** Adds up what the models of agents were used for; agents without a model are passed over. */
export function gatherUsageSummary(agents: readonly ModelUser[]): ChatCost {
  const sum = (summaries: readonly (UsageSummary | null | undefined)[]): UsageSummary =>
    summaries.reduce<UsageSummary>((all, one) => (one ? addSummaries(all, one) : all), noUsage);
  return {
    usageIncludingCachedInference: sum(agents.map(({ client }) => client?.totalUsageSummary)),
    usageExcludingCachedInference: sum(agents.map(({ client }) => client?.actualUsageSummary)),
  };
}
