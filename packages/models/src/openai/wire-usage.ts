import type { RequestUsage } from '../client.ts';

/**
 * Reads the usage of an answer. Usage that cannot be read counts as not reported: 0/0.
 *
 * Numbers that no count of tokens can be (negative, broken, or written as text) are not repaired, because a budget would
 * be settled with them.
 */
export function readUsage(usage: unknown): RequestUsage {
  const promptTokens = count(usage, 'prompt_tokens');
  const completionTokens = count(usage, 'completion_tokens');
  if (promptTokens === undefined || completionTokens === undefined) {
    return { promptTokens: 0, completionTokens: 0 };
  }
  const cached = count(member(usage, 'prompt_tokens_details'), 'cached_tokens') ?? 0;
  const isCached = cached > 0 && cached <= promptTokens;
  return { promptTokens, completionTokens, ...(isCached && { cachedPromptTokens: cached }) };
}

function count(object: unknown, name: string): number | undefined {
  const value = member(object, name);
  return Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : undefined;
}

function member(object: unknown, name: string): unknown {
  if (typeof object !== 'object' || object === null) return undefined;
  return (object as Readonly<Record<string, unknown>>)[name];
}
