import { Breaker } from '@teamfuse/core';
import { ReplayChatCompletionClient } from '@teamfuse/models';
import type { RunnableToolFunctionWithParse } from 'openai/lib/RunnableFunction';

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

/** A tool for the SDK of OpenAI that never has an answer. */
export const getWeather: RunnableToolFunctionWithParse<{ city: string }> = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'Tells the weather in a city.',
    parameters: { type: 'object', properties: { city: { type: 'string' } } },
    parse: JSON.parse,
    function: ({ city }) => `no data for ${city}`,
  },
};

/** A test of any runner: what it begins is awaited at the end of the block. */
export function it(
  _title: string,
  check: (context: { skip(isSkipped: boolean, reason?: string): void }) => unknown,
): void {
  checks.push(run(check));
}

/** The tests that the block has begun. */
export const checks: Promise<void>[] = [];

const SKIPPED = Symbol('skipped');

async function run(check: Parameters<typeof it>[1]): Promise<void> {
  const skip = (isSkipped: boolean): void => {
    if (isSkipped) throw SKIPPED;
  };
  try {
    await check({ skip });
  } catch (error) {
    if (error !== SKIPPED) throw error;
  }
}
