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
        input_tokens: 4,
        output_tokens: 3,
        cache_read_input_tokens: 6,
        cache_creation_input_tokens: 2,
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
