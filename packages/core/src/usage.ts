import { isAmount, isCount } from './json.ts';
import type { TokenUsage } from './metering.ts';

/** The usage of a call, as its provider or client reports it. */
export interface ReportedUsage extends TokenUsage {
  /** US dollars, if reported. */
  readonly costUsd?: number;
}

const INPUT = ['inputTokens', 'promptTokens', 'input_tokens', 'prompt_tokens'];
const OUTPUT = ['outputTokens', 'completionTokens', 'output_tokens', 'completion_tokens'];
const CACHED = ['cachedInputTokens', 'cachedPromptTokens'];
/** Fields with details of the prompt, and their field for cached tokens. */
const DETAILS = [
  ['prompt_tokens_details', 'cached_tokens'],
  ['input_tokens_details', 'cached_tokens'],
  ['inputTokenDetails', 'cacheReadTokens'],
  ['inputTokens', 'cacheRead'],
] as const;
/** Anthropic does not include these in `input_tokens`. */
const CACHE_READ = 'cache_read_input_tokens';
const CACHE_WRITTEN = 'cache_creation_input_tokens';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads the tokens of a model call from its response or usage, as reported by OpenAI (Chat Completions and Responses),
 * Anthropic and the AI SDK, or with the names of this package.
 *
 * `undefined` unless both counts are whole numbers of at least 0 and one is positive: a partial report would understate the
 * call and leave room for others in the budget.
 *
 * @example
 * ```ts
 * readUsage({ usage: { prompt_tokens: 12, completion_tokens: 3 } }); // => { inputTokens: 12, outputTokens: 3 }
 * readUsage({ input_tokens: 12, output_tokens: 3 })?.inputTokens; // => 12
 * readUsage({ usage: { prompt_tokens: 12 } }); // => undefined
 * ```
 */
export function readUsage(reported: unknown): ReportedUsage | undefined {
  try {
    const given: Fields = Object(reported);
    // In the AI SDK, `usage` covers only the last step.
    return fieldsOf(Object(given.totalUsage ?? given.usage ?? given));
  } catch {
    return undefined;
  }
}

function fieldsOf(usage: Fields): ReportedUsage | undefined {
  const beside = sum(usage[CACHE_READ], usage[CACHE_WRITTEN]);
  const [input, output] = [first(usage, INPUT), first(usage, OUTPUT)];
  const inputTokens = input === undefined ? undefined : sum(input, beside);
  const cached = first(usage, CACHED) ?? count(usage[CACHE_READ]) ?? detailOf(usage) ?? 0;
  if (inputTokens === undefined || output === undefined || inputTokens + output === 0) {
    return undefined;
  }
  const { costUsd } = usage;
  return {
    inputTokens,
    outputTokens: output,
    ...(cached > 0 && { cachedInputTokens: Math.min(cached, inputTokens) }),
    ...(isAmount(costUsd) && { costUsd }),
  };
}

/** The first of these fields that holds a count, or an object with a total. */
function first(usage: Fields, names: readonly string[]): number | undefined {
  for (const name of names) {
    const value = usage[name];
    const found = count(typeof value === 'object' ? Object(value).total : value);
    if (found !== undefined) return found;
  }
  return undefined;
}

function detailOf(usage: Fields): number | undefined {
  for (const [details, name] of DETAILS) {
    const found = count(Object(usage[details])[name]);
    if (found !== undefined) return found;
  }
  return undefined;
}

function sum(a: unknown, b: unknown): number {
  return Math.min((count(a) ?? 0) + (count(b) ?? 0), Number.MAX_SAFE_INTEGER);
}

function count(value: unknown): number | undefined {
  return isCount(value) ? value : undefined;
}
