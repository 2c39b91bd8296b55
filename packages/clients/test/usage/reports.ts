import type { Message as Claude } from '@anthropic-ai/sdk/resources/messages';
import type { UsageMetadata } from '@langchain/core/messages';
import type { LanguageModelUsage } from 'ai';
import type { ChatCompletion } from 'openai/resources/chat/completions';
import type { Response } from 'openai/resources/responses/responses';

/** A type with all its optional fields, at any depth, so that a new field of an SDK is missing here. */
type Whole<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { [K in keyof T]-?: Whole<NonNullable<T[K]>> }
    : T;

type Chat = Pick<ChatCompletion, 'model' | 'service_tier'> & {
  usage: NonNullable<ChatCompletion['usage']>;
};
type Responses = Pick<Response, 'model' | 'service_tier'> & {
  usage: NonNullable<Response['usage']>;
};
type Messages = Pick<Claude, 'model' | 'usage'>;

const chat: Whole<Chat> = {
  model: 'gpt-5',
  service_tier: 'flex',
  usage: {
    prompt_tokens: 1_000,
    completion_tokens: 600,
    total_tokens: 1_600,
    prompt_tokens_details: { cached_tokens: 100, cache_write_tokens: 110, audio_tokens: 120 },
    completion_tokens_details: {
      reasoning_tokens: 130,
      audio_tokens: 140,
      accepted_prediction_tokens: 50,
      rejected_prediction_tokens: 60,
    },
  },
};

const responses: Whole<Responses> = {
  model: 'gpt-5',
  service_tier: 'flex',
  usage: {
    input_tokens: 1_000,
    output_tokens: 600,
    total_tokens: 1_600,
    input_tokens_details: { cached_tokens: 100, cache_write_tokens: 110 },
    output_tokens_details: { reasoning_tokens: 130 },
  },
};

const messages: Whole<Messages> = {
  model: 'claude-opus-4-6',
  usage: {
    input_tokens: 1_000,
    output_tokens: 600,
    cache_read_input_tokens: 100,
    cache_creation_input_tokens: 110,
    cache_creation: { ephemeral_5m_input_tokens: 60, ephemeral_1h_input_tokens: 50 },
    server_tool_use: { web_search_requests: 3, web_fetch_requests: 4 },
    service_tier: 'batch',
    speed: 'standard',
    inference_geo: 'us',
    output_tokens_details: { thinking_tokens: 130 },
  },
};

const sdk: Whole<Omit<LanguageModelUsage, 'raw' | 'cachedInputTokens' | 'reasoningTokens'>> = {
  inputTokens: 1_000,
  outputTokens: 600,
  totalTokens: 1_600,
  inputTokenDetails: { noCacheTokens: 790, cacheReadTokens: 100, cacheWriteTokens: 110 },
  outputTokenDetails: { textTokens: 470, reasoningTokens: 130 },
};

const langchain: Whole<UsageMetadata> = {
  input_tokens: 1_000,
  output_tokens: 600,
  total_tokens: 1_600,
  input_token_details: {
    ...{ cache_read: 100, cache_creation: 110, audio: 120 },
    ...{ text: 700, image: 150, video: 10, document: 20 },
  },
  output_token_details: {
    ...{ reasoning: 130, audio: 140 },
    ...{ text: 300, image: 160, video: 10, document: 20 },
  },
};

// These three have no SDK here; the fields are those of their documents.
const gemini = {
  modelVersion: 'gemini-2.5-flash',
  usageMetadata: {
    promptTokenCount: 1_000,
    cachedContentTokenCount: 100,
    toolUsePromptTokenCount: 70,
    candidatesTokenCount: 600,
    thoughtsTokenCount: 130,
    totalTokenCount: 1_800,
  },
};
const bedrock = {
  usage: {
    inputTokens: 1_000,
    outputTokens: 600,
    totalTokens: 1_810,
    cacheReadInputTokens: 100,
    cacheWriteInputTokens: 110,
  },
};
const ollama = { model: 'llama3.2', prompt_eval_count: 1_000, eval_count: 600 };
const openrouter = {
  model: 'openai/gpt-5',
  usage: {
    prompt_tokens: 1_000,
    completion_tokens: 600,
    total_tokens: 1_600,
    cost: 0.01,
    cost_details: { upstream_inference_cost: 0.02 },
    prompt_tokens_details: { cached_tokens: 100, cache_write_tokens: 110 },
    server_tool_use: { web_search_requests: 3 },
  },
};

/** What each API reports of a call. */
export const REPORTS: Readonly<Record<string, object>> = {
  'OpenAI, Chat Completions': chat,
  'OpenAI, Responses': responses,
  'Anthropic, Messages': messages,
  Gemini: gemini,
  Bedrock: bedrock,
  Ollama: ollama,
  OpenRouter: openrouter,
  'AI SDK': { usage: sdk },
  LangChain: { usage_metadata: langchain },
};
