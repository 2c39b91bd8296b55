import { isCount } from '../common/json.ts';

export type Fields = Readonly<Record<string, unknown>>;
/** Fields within fields; a list is added up. */
export type Path = readonly string[];

const INPUT_DETAILS = [
  'prompt_tokens_details',
  'input_tokens_details',
  'input_token_details',
  'inputTokensDetails',
  'inputTokenDetails',
];
const OUTPUT_DETAILS = [
  'completion_tokens_details',
  'output_tokens_details',
  'output_token_details',
  'outputTokensDetails',
  'outputTokenDetails',
];

/** Where APIs and SDKs put each count. The first that holds one is taken. */
export const INPUT: readonly Path[] = fields(
  ...['inputTokens', 'promptTokens', 'input_tokens', 'prompt_tokens'],
  ...['promptTokenCount', 'prompt_eval_count'],
);
export const OUTPUT: readonly Path[] = fields(
  ...['outputTokens', 'completionTokens', 'output_tokens', 'completion_tokens'],
  ...['candidatesTokenCount', 'responseTokenCount', 'eval_count'],
);
/** Anthropic and Bedrock do not include these in the tokens of the prompt. */
export const READ_BESIDE: readonly Path[] = fields(
  'cache_read_input_tokens',
  'cacheReadInputTokens',
);
export const WRITTEN_BESIDE: readonly Path[] = fields(
  'cache_creation_input_tokens',
  'cacheWriteInputTokens',
);
/** Whoever counts the tokens of the prompt under these names includes all. */
export const WHOLE_PROMPT: readonly Path[] = fields('prompt_tokens', 'promptTokens');
export const READ: readonly Path[] = [
  ...READ_BESIDE,
  ...fields('cachedInputTokens', 'cachedPromptTokens', 'cachedContentTokenCount'),
  ...fields('cached_input_tokens', 'cached_tokens', 'prompt_cache_hit_tokens'),
  ...within(INPUT_DETAILS, ['cached_tokens', 'cacheReadTokens', 'cache_read']),
  ['inputTokens', 'cacheRead'],
];
export const WRITTEN: readonly Path[] = [
  ...WRITTEN_BESIDE,
  ...fields('cacheWriteTokens'),
  ...within(INPUT_DETAILS, ['cache_write_tokens', 'cacheWriteTokens', 'cache_creation']),
  ['inputTokens', 'cacheWrite'],
];
export const WRITTEN_1H: readonly Path[] = [
  ...fields('cacheWrite1hTokens'),
  ['cache_creation', 'ephemeral_1h_input_tokens'],
  ['raw', 'cache_creation', 'ephemeral_1h_input_tokens'],
  ...within(INPUT_DETAILS, ['ephemeral_1h_input_tokens']),
  ['input_tokens_details', 'cache_write_tokens_details', 'ttl_12h_tokens'],
];
export const AUDIO_IN: readonly Path[] = [
  ...fields('inputAudioTokens'),
  ...within(INPUT_DETAILS, ['audio_tokens', 'audio']),
];
export const AUDIO_READ: readonly Path[] = [
  ...fields('cachedAudioTokens'),
  ...INPUT_DETAILS.map((details) => [details, 'cached_tokens_details', 'audio_tokens']),
];
export const IMAGES_IN: readonly Path[] = [
  ...fields('inputImageTokens'),
  ...within(INPUT_DETAILS, ['image_tokens', 'image']),
];
export const AUDIO_OUT: readonly Path[] = [
  ...fields('outputAudioTokens'),
  ...within(OUTPUT_DETAILS, ['audio_tokens', 'audio']),
];
export const IMAGES_OUT: readonly Path[] = [
  ...fields('outputImageTokens'),
  ...within(OUTPUT_DETAILS, ['image_tokens', 'image']),
];
export const THOUGHTS: readonly Path[] = [
  ...fields('reasoningTokens', 'thoughtsTokenCount', 'reasoning_output_tokens'),
  ...fields('reasoning_tokens'),
  ...within(OUTPUT_DETAILS, [
    ...['reasoning_tokens', 'thinking_tokens'],
    ...['reasoningTokens', 'reasoning'],
  ]),
  ['outputTokens', 'reasoning'],
];
export const SEARCHES: readonly Path[] = [
  ...fields('webSearches', 'num_search_queries'),
  ['server_tool_use', 'web_search_requests'],
  ['raw', 'server_tool_use', 'web_search_requests'],
];
/** Gemini and Perplexity count these beside the prompt and the answer. */
export const PROMPT_BESIDE: readonly Path[] = fields('toolUsePromptTokenCount', 'citation_tokens');
export const THOUGHTS_BESIDE: readonly Path[] = fields('thoughtsTokenCount', 'reasoning_tokens');
export const TOTAL: readonly Path[] = fields('total_tokens');

function fields(...names: readonly string[]): readonly Path[] {
  return names.map((name) => [name]);
}

function within(details: readonly string[], names: readonly string[]): readonly Path[] {
  return details.flatMap((one) => names.map((name) => [one, name]));
}

/** The first of these fields that holds a count, or an object with a total. */
export function countAt(usage: Fields, paths: readonly Path[]): number | undefined {
  for (const path of paths) {
    const found = valueAt(usage, path);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** `from`: how many names of the path lead to the value. */
function valueAt(value: unknown, path: Path, from = 0): number | undefined {
  if (Array.isArray(value)) {
    const counts = value.flatMap((one) => valueAt(one, path, from) ?? []);
    return counts.length === 0 ? undefined : sum(...counts);
  }
  const inner = fieldsOf(value)[path[from] as string];
  if (inner === undefined) return undefined;
  if (from + 1 < path.length) return valueAt(inner, path, from + 1);
  return count(typeof inner === 'object' ? fieldsOf(inner).total : inner);
}

export function fieldsOf(value: unknown): Fields {
  return Object(value) as Fields;
}

export function recordsIn(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.map(fieldsOf) : [];
}

export function sum(...counts: readonly (number | undefined)[]): number {
  const total = counts.reduce<number>((all, one) => all + (one ?? 0), 0);
  return Math.min(total, Number.MAX_SAFE_INTEGER);
}

export function count(value: unknown): number | undefined {
  return isCount(value) ? value : undefined;
}
