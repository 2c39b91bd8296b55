import { describe, expect, it } from 'vitest';
import { Breaker, type Cost } from '../../src/index.ts';
import { modelRequest } from '../support/signals.ts';

const WORDS = 'one two three four five six seven eight nine ten';

/** The spend of a breaker whose model calls give these values, and what is told of them. */
async function after(
  values: readonly unknown[],
  request = modelRequest(),
): Promise<{ readonly cost: Cost; readonly told: readonly unknown[] }> {
  const breaker = new Breaker({ budget: { maxTokens: 1_000_000 } });
  const told: unknown[] = [];
  breaker.on('error', ({ error, during }) => told.push([during, String(error)]));
  for (const value of values) await breaker.run(request, () => value);
  return { cost: breaker.cost, told };
}

describe('a model call whose usage nobody can read', () => {
  it('[USG6] counts by the texts of its answer, as an estimate', async () => {
    const { cost } = await after([{ choice: { text: WORDS }, id: 7 }]);
    // 48 characters are 12 tokens, and a tenth more may have come.
    expect(cost).toMatchObject({ tokens: 12, isEstimate: true });
  });

  it('[USG6] counts no pictures as text, and what holds no text as a long answer', async () => {
    const picture = 'iVBORw0KGgo'.repeat(1_000);
    const { cost } = await after([{ text: WORDS, picture }]);
    expect(cost.tokens).toBe(12);
    const none = await after([undefined]);
    expect(none.cost).toMatchObject({ tokens: 4_096, isEstimate: true });
  });

  it('[USG6] fills a budget of tokens', async () => {
    const breaker = new Breaker({ budget: { maxTokens: 1_000 } });
    breaker.on('error', () => {});
    const ask = (): Promise<unknown> =>
      breaker.run<unknown>(modelRequest(), () => ({ text: WORDS }), { fallback: () => 'refused' });
    const answers: unknown[] = [];
    for (let at = 0; at < 100; at++) answers.push(await ask());
    expect(answers.at(-1)).toBe('refused');
  });

  it('[USG7] is told once, by the names of its fields, never by what they hold', async () => {
    const { told } = await after([{ secret: 'sk-123', text: 'mine' }, { other: 1 }]);
    expect(told).toEqual([
      [
        'usage',
        expect.stringContaining(
          "nothing tells it in the object that it returned, with the fields 'secret', 'text'",
        ),
      ],
    ]);
    expect(String(told)).not.toMatch(/sk-123|mine/);
  });

  it('[USG7] is pointed to `streamed` where it is a stream, which is not read', async () => {
    const stream = (async function* () {
      yield 'never read';
    })();
    const { told, cost } = await after([stream]);
    expect(told).toEqual([['usage', expect.stringContaining('step.streamed')]]);
    expect(cost).toMatchObject({ tokens: 4_096, isEstimate: true });
    expect(await stream.next()).toMatchObject({ value: 'never read' });
  });

  it('[USG7] is not told where the usage can be read, was streamed, or the call failed', async () => {
    const breaker = new Breaker();
    const told: unknown[] = [];
    breaker.on('error', ({ error }) => told.push(error));
    const usageMetadata = { promptTokenCount: 1_000, candidatesTokenCount: 100 };
    await breaker.run(modelRequest(), () => ({ usageMetadata }));
    await breaker.run(modelRequest(), ({ streamed }) => streamed(WORDS));
    const failing = breaker.run(modelRequest(), () => {
      throw new Error('down');
    });
    await failing.catch(() => {});
    expect(told).toEqual([]);
    expect(breaker.cost.tokens).toBe(1_112);
  });
});
