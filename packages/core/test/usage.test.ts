import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readUsage } from '../src/index.ts';

describe('readUsage', () => {
  const twelveAndThree = { inputTokens: 12, outputTokens: 3 };
  const halfCached = { ...twelveAndThree, cachedInputTokens: 6 };

  it.each([
    ['Chat Completions', { prompt_tokens: 12, completion_tokens: 3, total_tokens: 15 }],
    ['the Responses API', { input_tokens: 12, output_tokens: 3 }],
    ['Anthropic', { input_tokens: 12, output_tokens: 3, cache_read_input_tokens: null }],
    ['the AI SDK 4', { promptTokens: 12, completionTokens: 3 }],
    ['the AI SDK 5', { inputTokens: 12, outputTokens: 3, reasoningTokens: undefined }],
    ['a language model of the AI SDK', { inputTokens: { total: 12 }, outputTokens: { total: 3 } }],
  ])('[USG1] reads the tokens that %s reports, alone or in an answer', (_, usage) => {
    expect(readUsage(usage)).toEqual(twelveAndThree);
    expect(readUsage({ id: 'answer', usage })).toEqual(twelveAndThree);
  });

  it.each([
    [
      'Chat Completions',
      { prompt_tokens: 12, completion_tokens: 3, prompt_tokens_details: { cached_tokens: 6 } },
    ],
    [
      'the Responses API',
      { input_tokens: 12, output_tokens: 3, input_tokens_details: { cached_tokens: 6 } },
    ],
    [
      'Anthropic',
      {
        input_tokens: 6,
        output_tokens: 3,
        cache_read_input_tokens: 6,
      },
    ],
    ['the AI SDK 5', { inputTokens: 12, outputTokens: 3, cachedInputTokens: 6 }],
    [
      'the AI SDK 6',
      { inputTokens: 12, outputTokens: 3, inputTokenDetails: { cacheReadTokens: 6 } },
    ],
    [
      'a language model of the AI SDK',
      { inputTokens: { total: 12, cacheRead: 6 }, outputTokens: { total: 3 } },
    ],
  ])('[USG2] counts what was read from a cache among the tokens of the prompt: %s', (_, usage) => {
    expect(readUsage(usage)).toEqual(halfCached);
  });

  it.each<[string, object, object]>([
    [
      'Anthropic',
      {
        model: 'claude-sonnet-4-5',
        usage: {
          input_tokens: 100,
          output_tokens: 50,
          cache_read_input_tokens: 5_000,
          cache_creation_input_tokens: 1_500,
          cache_creation: { ephemeral_5m_input_tokens: 500, ephemeral_1h_input_tokens: 1_000 },
          server_tool_use: { web_search_requests: 3, web_fetch_requests: 1 },
          service_tier: 'batch',
        },
      },
      {
        inputTokens: 6_600,
        outputTokens: 50,
        cachedInputTokens: 5_000,
        cacheWriteTokens: 1_500,
        cacheWrite1hTokens: 1_000,
        webSearches: 3,
        serviceTier: 'batch',
        responseModel: 'claude-sonnet-4-5',
      },
    ],
    [
      'Chat Completions',
      {
        model: 'gpt-5.6-sol',
        service_tier: 'priority',
        usage: {
          prompt_tokens: 1_000,
          completion_tokens: 300,
          prompt_tokens_details: { cached_tokens: 400, cache_write_tokens: 200, audio_tokens: 100 },
          completion_tokens_details: { reasoning_tokens: 120, audio_tokens: 80 },
        },
      },
      {
        inputTokens: 1_000,
        outputTokens: 300,
        cachedInputTokens: 400,
        cacheWriteTokens: 200,
        inputAudioTokens: 100,
        outputAudioTokens: 80,
        reasoningTokens: 120,
        serviceTier: 'priority',
        responseModel: 'gpt-5.6-sol',
      },
    ],
    [
      'the Responses API',
      {
        model: 'gpt-5',
        service_tier: 'default',
        output: [
          { type: 'web_search_call', action: { type: 'search', query: 'a' } },
          { type: 'web_search_call', action: { type: 'open_page' } },
          { type: 'web_search_call' },
          { type: 'message', content: [] },
        ],
        usage: {
          input_tokens: 1_000,
          input_tokens_details: { cached_tokens: 400, cache_write_tokens: 0 },
          output_tokens: 300,
          output_tokens_details: { reasoning_tokens: 120 },
          total_tokens: 1_300,
        },
      },
      {
        inputTokens: 1_000,
        outputTokens: 300,
        cachedInputTokens: 400,
        reasoningTokens: 120,
        webSearches: 2,
        responseModel: 'gpt-5',
      },
    ],
    [
      'Gemini',
      {
        modelVersion: 'gemini-2.5-flash',
        candidates: [{ groundingMetadata: { webSearchQueries: ['a', 'b'] } }],
        usageMetadata: {
          promptTokenCount: 1_000,
          candidatesTokenCount: 100,
          thoughtsTokenCount: 40,
          toolUsePromptTokenCount: 10,
          cachedContentTokenCount: 300,
          totalTokenCount: 1_150,
          promptTokensDetails: [
            { modality: 'TEXT', tokenCount: 700 },
            { modality: 'AUDIO', tokenCount: 200 },
            { modality: 'IMAGE', tokenCount: 100 },
          ],
          cacheTokensDetails: [{ modality: 'AUDIO', tokenCount: 50 }],
          candidatesTokensDetails: [{ modality: 'TEXT', tokenCount: 100 }],
        },
      },
      {
        inputTokens: 1_010,
        outputTokens: 140,
        cachedInputTokens: 300,
        inputAudioTokens: 200,
        cachedAudioTokens: 50,
        inputImageTokens: 100,
        reasoningTokens: 40,
        webSearches: 2,
        responseModel: 'gemini-2.5-flash',
      },
    ],
    [
      'Gemini that only thought',
      { usageMetadata: { promptTokenCount: 10, thoughtsTokenCount: 40, totalTokenCount: 50 } },
      { inputTokens: 10, outputTokens: 40, reasoningTokens: 40 },
    ],
    [
      'Ollama',
      { model: 'llama3.2', message: {}, done: true, prompt_eval_count: 26, eval_count: 298 },
      { inputTokens: 26, outputTokens: 298, responseModel: 'llama3.2' },
    ],
    [
      'Bedrock',
      {
        output: { message: {} },
        usage: {
          inputTokens: 100,
          outputTokens: 50,
          totalTokens: 1_350,
          cacheReadInputTokens: 1_000,
          cacheWriteInputTokens: 200,
          cacheDetails: [
            { ttl: '1h', inputTokens: 150 },
            { ttl: '5m', inputTokens: 50 },
          ],
        },
      },
      {
        inputTokens: 1_300,
        outputTokens: 50,
        cachedInputTokens: 1_000,
        cacheWriteTokens: 200,
        cacheWrite1hTokens: 150,
      },
    ],
    [
      'LangChain',
      {
        content: 'Hi',
        response_metadata: { model_name: 'claude-sonnet-4-5' },
        usage_metadata: {
          input_tokens: 1_300,
          output_tokens: 50,
          total_tokens: 1_350,
          input_token_details: { cache_read: 1_000, cache_creation: 200, audio: 10 },
          output_token_details: { reasoning: 20 },
        },
      },
      {
        inputTokens: 1_300,
        outputTokens: 50,
        cachedInputTokens: 1_000,
        cacheWriteTokens: 200,
        inputAudioTokens: 10,
        reasoningTokens: 20,
        responseModel: 'claude-sonnet-4-5',
      },
    ],
    [
      'the AI SDK 6',
      {
        response: { modelId: 'claude-sonnet-4-5' },
        usage: {
          inputTokens: 1_300,
          outputTokens: 50,
          inputTokenDetails: { cacheReadTokens: 1_000, cacheWriteTokens: 200 },
          outputTokenDetails: { reasoningTokens: 20 },
          raw: { cache_creation: { ephemeral_1h_input_tokens: 200 }, service_tier: 'standard' },
        },
      },
      {
        inputTokens: 1_300,
        outputTokens: 50,
        cachedInputTokens: 1_000,
        cacheWriteTokens: 200,
        cacheWrite1hTokens: 200,
        reasoningTokens: 20,
        responseModel: 'claude-sonnet-4-5',
      },
    ],
    [
      'a language model of the AI SDK',
      {
        usage: {
          inputTokens: { total: 1_300, noCache: 100, cacheRead: 1_000, cacheWrite: 200 },
          outputTokens: { total: 50, text: 30, reasoning: 20 },
        },
      },
      {
        inputTokens: 1_300,
        outputTokens: 50,
        cachedInputTokens: 1_000,
        cacheWriteTokens: 200,
        reasoningTokens: 20,
      },
    ],
    [
      'Perplexity',
      {
        prompt_tokens: 33,
        completion_tokens: 7_163,
        total_tokens: 7_196,
        citation_tokens: 20_016,
        num_search_queries: 18,
        reasoning_tokens: 73_997,
      },
      { inputTokens: 20_049, outputTokens: 81_160, reasoningTokens: 73_997, webSearches: 18 },
    ],
    [
      'xAI',
      {
        prompt_tokens: 32,
        completion_tokens: 9,
        total_tokens: 135,
        completion_tokens_details: { reasoning_tokens: 94 },
      },
      { inputTokens: 32, outputTokens: 103, reasoningTokens: 94 },
    ],
    [
      'Gemini as OpenAI does',
      { prompt_tokens: 20, completion_tokens: 198, total_tokens: 623 },
      { inputTokens: 20, outputTokens: 603 },
    ],
    [
      'a proxy that counts caches in the total alone',
      { input_tokens: 10, output_tokens: 5, cache_read_input_tokens: 100, total_tokens: 115 },
      { inputTokens: 110, outputTokens: 5, cachedInputTokens: 100 },
    ],
    [
      'LiteLLM',
      {
        prompt_tokens: 1_300,
        completion_tokens: 50,
        prompt_tokens_details: { cached_tokens: 1_000 },
        cache_read_input_tokens: 1_000,
        cache_creation_input_tokens: 200,
      },
      { inputTokens: 1_300, outputTokens: 50, cachedInputTokens: 1_000, cacheWriteTokens: 200 },
    ],
    [
      'the Agents SDK',
      {
        inputTokens: 1_000,
        outputTokens: 300,
        inputTokensDetails: [{ cached_tokens: 400 }, { cached_tokens: 100 }],
        outputTokensDetails: [{ reasoning_tokens: 20 }],
      },
      { inputTokens: 1_000, outputTokens: 300, cachedInputTokens: 500, reasoningTokens: 20 },
    ],
  ])('[USG4] reads what is charged for apart, as %s reports it', (_, reported, read) => {
    expect(readUsage(reported)).toEqual(read);
  });

  it.each([
    ['OpenRouter', { cost: 0.95, cost_details: { upstream_inference_cost: null } }, 0.95],
    ['OpenRouter, credits', { cost: 1, cost_details: { upstream_inference_cost: 1 } }, 1],
    ['OpenRouter, own key', { cost: 0.95, cost_details: { upstream_inference_cost: 19 } }, 19.95],
    ['OpenRouter, own key, free', { cost: 0, cost_details: { upstream_inference_cost: 2 } }, 2],
    [
      'OpenRouter, no own key',
      { cost: 1, is_byok: false, cost_details: { upstream_inference_cost: 2 } },
      1,
    ],
    ['Perplexity', { cost: { total_cost: 0.006, request_cost: 0.005 } }, 0.006],
    ['a server that fills in 0', { cost: 0 }, undefined],
    ['a broken one', { cost: -5 }, undefined],
  ])('[USG5] takes the cost that %s reports', (_, cost, usd) => {
    const usage = { prompt_tokens: 12, completion_tokens: 3, ...cost };
    expect(readUsage({ usage })?.costUsd).toBe(usd);
  });

  it('[USG4] reads one search for each answer of a model of OpenAI that searches each time', () => {
    const usage = { prompt_tokens: 9, completion_tokens: 9 };
    const of = (model: string) => readUsage({ model, choices: [], usage })?.webSearches;
    expect(of('gpt-4o-search-preview-2025-03-11')).toBe(1);
    expect(of('gpt-5-search-api')).toBe(1);
    expect(of('gpt-4o')).toBeUndefined();
  });

  it('[USG4] never counts more in parts than as a whole', () => {
    const usage = {
      input_tokens: 10,
      output_tokens: 5,
      input_tokens_details: { cached_tokens: 8, cache_write_tokens: 8, audio_tokens: 99 },
      output_tokens_details: { reasoning_tokens: 99 },
    };
    expect(readUsage(usage)).toEqual({
      inputTokens: 10,
      outputTokens: 5,
      cachedInputTokens: 8,
      cacheWriteTokens: 2,
      inputAudioTokens: 10,
      reasoningTokens: 5,
    });
  });

  it('[USG1] takes the usage of all steps rather than that of the last one', () => {
    const all = { inputTokens: 12, outputTokens: 3 };
    expect(readUsage({ usage: { inputTokens: 5, outputTokens: 1 }, totalUsage: all })).toEqual(all);
  });

  it('[USG1] hands on a cost that is reported as well', () => {
    expect(readUsage({ ...twelveAndThree, costUsd: 0.5 })?.costUsd).toBe(0.5);
    expect(readUsage({ ...twelveAndThree, costUsd: -1 })).toEqual(twelveAndThree);
  });

  it.each([
    ['nothing', undefined],
    ['half a report', { prompt_tokens: 12 }],
    ['no tokens at all', { prompt_tokens: 0, completion_tokens: 0 }],
    ['a negative count', { prompt_tokens: -1, completion_tokens: 3 }],
    ['a count that is a text', { prompt_tokens: '12', completion_tokens: 3 }],
    ['a count beyond exact integers', { prompt_tokens: 2 ** 53, completion_tokens: 3 }],
  ])('[USG3] takes %s for no report', (_, usage) => {
    expect(readUsage(usage)).toBeUndefined();
  });

  it('[USG3] gives counts or nothing, whatever it is given', () => {
    fc.assert(
      fc.property(fc.anything(), (usage) => {
        const read = readUsage({ usage });
        const { inputTokens = 1, outputTokens = 0, cachedInputTokens = 0 } = read ?? {};
        expect([inputTokens, outputTokens].every(Number.isSafeInteger)).toBe(true);
        expect(cachedInputTokens).toBeLessThanOrEqual(inputTokens);
      }),
    );
  });

  it('[USG3] takes what cannot be read for no report', () => {
    const hostile = new Proxy(
      {},
      {
        get: () => {
          throw new Error('no');
        },
      },
    );
    expect(readUsage(hostile)).toBeUndefined();
  });
});
