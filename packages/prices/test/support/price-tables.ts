import { calcPrice, findProvider } from '@pydantic/genai-prices';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { GenaiPriceBook } from '../../src/index.ts';

const NOW: number = Date.UTC(2026, 10, 1);

export const usages: fc.Arbitrary<{
  inputTokens: number;
  outputTokens: number;
  cachedInputTokens: number;
}> = fc
  .record({
    inputTokens: fc.nat(2_000_000),
    outputTokens: fc.nat(200_000),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  .map(({ inputTokens, outputTokens, share }) => ({
    inputTokens,
    outputTokens,
    cachedInputTokens: Math.floor(inputTokens * share),
  }));

/** Tests so many usages of each model against the table of its provider. */
export function testTables(numRuns: number): void {
  test.each([
    ...['openai', 'anthropic', 'google', 'mistral', 'groq', 'deepseek', 'x-ai', 'cohere'],
    ...['openrouter', 'together', 'fireworks', 'azure', 'aws', 'perplexity', 'cerebras'],
  ])('[PRI1] charges to the billionth what the table of %s says', (provider) => {
    const book = new GenaiPriceBook({ provider, now: () => NOW });
    const { models = [] } = findProvider({ providerId: provider }) ?? {};
    expect(models.length).toBeGreaterThan(1);
    for (const { id: model } of models) {
      fc.assert(
        fc.property(usages, (usage) => {
          const { inputTokens, outputTokens, cachedInputTokens } = usage;
          const tokens = {
            input_tokens: inputTokens,
            cache_read_tokens: cachedInputTokens,
            output_tokens: outputTokens,
          };
          const options = { providerId: provider, timestamp: new Date(NOW) };
          const { model_price, total_price } = calcPrice(tokens, model, options) ?? {};
          const { input_mtok, output_mtok } = model_price ?? {};
          const isCharged =
            total_price !== undefined &&
            (inputTokens === 0 || input_mtok !== undefined) &&
            (outputTokens === 0 || output_mtok !== undefined);
          const expected = isCharged ? { nanoUsd: Math.round(total_price * 1e9) } : undefined;
          expect(book.price(model, usage)).toEqual(expected);
        }),
        { numRuns },
      );
    }
  });
}
