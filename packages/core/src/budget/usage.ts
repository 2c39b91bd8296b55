import { isNonNegative } from '../common/json.ts';
import type { ServiceTier, TokenUsage } from './metering.ts';
import {
  AUDIO_IN,
  AUDIO_OUT,
  AUDIO_READ,
  count,
  countAt,
  type Fields,
  fieldsOf,
  IMAGES_IN,
  IMAGES_OUT,
  INPUT,
  OUTPUT,
  type Path,
  PROMPT_BESIDE,
  READ,
  READ_BESIDE,
  recordsIn,
  SEARCHES,
  sum,
  THOUGHTS,
  THOUGHTS_BESIDE,
  TOTAL,
  WHOLE_PROMPT,
  WRITTEN,
  WRITTEN_1H,
  WRITTEN_BESIDE,
} from './usage-fields.ts';

/** The usage of a call, as its provider or client reports it. */
export interface ReportedUsage extends TokenUsage {
  /** US dollars, if reported. */
  readonly costUsd?: number;
  /** The model that answered, if the report names it. */
  readonly responseModel?: string;
}

const TIERS: Readonly<Record<string, ServiceTier>> = {
  batch: 'batch',
  flex: 'flex',
  priority: 'priority',
  fast: 'fast',
  ultrafast: 'fast',
  on_demand_flex: 'flex',
  on_demand_priority: 'priority',
};

/** Models of OpenAI that search once for each answer, and do not say so. */
const SEARCHING = /-search-(?:preview|api)/i;

/**
 * Reads the tokens of a model call from its answer or usage, as reported by OpenAI (Chat Completions and Responses), Anthropic,
 * Gemini, Bedrock, Ollama, OpenRouter, LangChain and the AI SDK, or with the names of this package.
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
    const answer = fieldsOf(reported);
    const usage = usageIn(answer);
    const tokens = tokensIn(usage);
    return tokens && { ...tokens, ...chargesIn(usage, answer) };
  } catch {
    return undefined;
  }
}

function usageIn(answer: Fields): Fields {
  // In the AI SDK, `usage` covers only the last step.
  const { totalUsage, usage, usageMetadata, usage_metadata, response } = answer;
  const within = totalUsage ?? usage ?? usageMetadata ?? usage_metadata;
  return fieldsOf(within ?? fieldsOf(response).usageMetadata ?? answer);
}

function tokensIn(usage: Fields): TokenUsage | undefined {
  const [input, output] = [countAt(usage, INPUT), answerOf(usage)];
  if (input === undefined || output === undefined) return undefined;
  const [read, written] = [countAt(usage, READ_BESIDE), countAt(usage, WRITTEN_BESIDE)];
  const isWhole = countAt(usage, WHOLE_PROMPT) !== undefined;
  const beside = isWhole ? 0 : sum(read, written);
  const inputTokens = sum(input, beside, countAt(usage, PROMPT_BESIDE));
  const outputTokens = sum(output, thoughtsBeside(usage, inputTokens + output));
  if (inputTokens + outputTokens === 0) return undefined;
  const of = (most: number, paths: readonly Path[], modality?: readonly [string, string]): number =>
    Math.min(countAt(usage, paths) ?? ofModality(usage, modality) ?? 0, most);
  const cachedInputTokens = of(inputTokens, READ);
  const cacheWriteTokens = of(inputTokens - cachedInputTokens, WRITTEN);
  const inputAudioTokens = of(inputTokens, AUDIO_IN, ['promptTokensDetails', 'AUDIO']);
  const outputAudioTokens = of(outputTokens, AUDIO_OUT, ['candidatesTokensDetails', 'AUDIO']);
  const lasting = of(cacheWriteTokens, WRITTEN_1H) || lastingOf(usage, cacheWriteTokens);
  const parts = {
    cachedInputTokens,
    cacheWriteTokens,
    cacheWrite1hTokens: lasting,
    inputAudioTokens,
    cachedAudioTokens: of(inputAudioTokens, AUDIO_READ, ['cacheTokensDetails', 'AUDIO']),
    inputImageTokens: of(inputTokens, IMAGES_IN, ['promptTokensDetails', 'IMAGE']),
    outputAudioTokens,
    outputImageTokens: of(outputTokens, IMAGES_OUT, ['candidatesTokensDetails', 'IMAGE']),
    reasoningTokens: of(outputTokens, THOUGHTS),
  };
  const some = Object.entries(parts).filter(([, count]) => count > 0);
  return { inputTokens, outputTokens, ...Object.fromEntries(some) };
}

/** Gemini leaves out what is 0: an answer may hold nothing but thoughts. */
function answerOf(usage: Fields): number | undefined {
  const isGemini = count(usage.promptTokenCount) !== undefined;
  return countAt(usage, OUTPUT) ?? (isGemini ? 0 : undefined);
}

/** Thoughts that are not among the tokens of the answer. Only the total tells it of xAI, and of Gemini where it speaks as OpenAI does. */
function thoughtsBeside(usage: Fields, counted: number): number {
  const beside = countAt(usage, THOUGHTS_BESIDE);
  return beside ?? Math.max(0, (countAt(usage, TOTAL) ?? 0) - counted);
}

/** What an answer is charged for beside its tokens, and by whose price. */
function chargesIn(usage: Fields, answer: Fields): Partial<ReportedUsage> {
  const responseModel = modelIn(answer);
  const isSearching = responseModel !== undefined && SEARCHING.test(responseModel);
  const webSearches = countAt(usage, SEARCHES) ?? (searchesIn(answer) || Number(isSearching));
  const serviceTier = tierOf(usage, answer);
  const costUsd = costIn(usage);
  return {
    ...(webSearches > 0 && { webSearches }),
    ...(serviceTier !== undefined && { serviceTier }),
    ...(costUsd !== undefined && { costUsd }),
    ...(responseModel !== undefined && { responseModel }),
  };
}

/** Searches that stand in the answer itself: of OpenAI's Responses as items, of Gemini as the words searched for. */
function searchesIn({ output, candidates }: Fields): number {
  const items = recordsIn(output).filter(({ type, action }) => {
    const done = fieldsOf(action).type ?? 'search';
    return type === 'web_search_call' && done === 'search';
  });
  return recordsIn(candidates).reduce((found, candidate) => {
    const { webSearchQueries } = fieldsOf(candidate.groundingMetadata);
    return found + (Array.isArray(webSearchQueries) ? webSearchQueries.length : 0);
  }, items.length);
}

function tierOf(usage: Fields, answer: Fields): ServiceTier | undefined {
  const raw = fieldsOf(usage.raw);
  const named = [
    ...[usage.speed, raw.speed, usage.serviceTier, usage.service_tier, raw.service_tier],
    ...[usage.trafficType, answer.service_tier, fieldsOf(answer.serviceTier).type],
  ].map((tier) => (typeof tier === 'string' ? tier.toLowerCase() : ''));
  const found = named.find((tier) => Object.hasOwn(TIERS, tier));
  return found === undefined ? undefined : TIERS[found];
}

/**
 * The reported cost. OpenRouter's is its own part only, if the caller has a key at the provider. A cost of 0 is none: servers
 * fill in fields that they do not know, and what is free has a price of 0.
 */
function costIn({ costUsd, cost, cost_details, is_byok }: Fields): number | undefined {
  if (isNonNegative(costUsd)) return costUsd;
  const charged = typeof cost === 'object' ? fieldsOf(cost).total_cost : cost;
  if (!isNonNegative(charged)) return undefined;
  const upstream = fieldsOf(cost_details).upstream_inference_cost;
  const isOwnKey = isNonNegative(upstream) && (is_byok ?? upstream > charged) === true;
  const usd = isOwnKey ? charged + upstream : charged;
  return usd > 0 ? usd : undefined;
}

function modelIn({ model, modelVersion, response, response_metadata }: Fields): string | undefined {
  const names = [
    ...[model, modelVersion, fieldsOf(response).modelId, fieldsOf(response).modelVersion],
    ...[fieldsOf(response_metadata).model_name, fieldsOf(response_metadata).model],
  ];
  return names.find((name): name is string => typeof name === 'string' && name !== '');
}

/** What Bedrock says of how long the written tokens stay. */
function lastingOf({ cacheDetails }: Fields, most: number): number {
  const counts = recordsIn(cacheDetails)
    .filter(({ ttl }) => ttl === '1h')
    .map(({ inputTokens }) => count(inputTokens));
  return Math.min(sum(...counts), most);
}

/** Gemini's counts by what the tokens are. */
function ofModality(usage: Fields, asked?: readonly [string, string]): number | undefined {
  if (asked === undefined) return undefined;
  const [details, modality] = asked;
  const counts = recordsIn(usage[details])
    .filter((one) => one.modality === modality)
    .map(({ tokenCount }) => count(tokenCount));
  return counts.length === 0 ? undefined : sum(...counts);
}
