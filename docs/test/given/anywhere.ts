import { Breaker } from '@teamfuse/core';
import { ReplayChatCompletionClient } from '@teamfuse/models';

/** What the documents take as given: a breaker, a model, and functions of the reader's own. */
export const breaker: Breaker = new Breaker();
export const client: ReplayChatCompletionClient = new ReplayChatCompletionClient([]);
export const q = 'circuit breakers';

export async function search(query: string, _options: { signal: AbortSignal }): Promise<string[]> {
  return [query];
}

export async function rawFetchOrders(query: {
  status: string;
}): Promise<{ costUsd: number; rows: string[] }> {
  return { costUsd: 0.02, rows: [query.status] };
}
