import { describe, expect, it } from 'vitest';
import { Breaker, InvalidOptionError } from '../../src/index.ts';
import { message, modelRequest } from '../support/signals.ts';

describe('context window', () => {
  const contextWindow = { maxContextTokens: 1000, headroom: 100 };

  it('[CTX1] refuses a call whose prompt and answer do not fit the window together', async () => {
    const breaker = new Breaker({ contextWindow });
    const request = modelRequest({ inputTokens: 801, maxOutputTokens: 200 });
    expect(await breaker.admit(request)).toMatchObject({
      isAdmitted: false,
      trip: {
        kind: 'context-window',
        reason:
          "the next call of writer needs 1,001 tokens, but the context window of 'm' holds 1,000",
        agents: ['writer'],
        evidence: { indices: [], count: 1001, limit: 1000, subject: 'm' },
      },
    });
  });

  it('[CTX1] refuses it for a cool-down only, as the next prompt may be shorter', () => {
    const breaker = new Breaker({ contextWindow, cooldownMs: 10 });
    breaker.admit(modelRequest({ inputTokens: 2000 }));
    expect(breaker.admit(modelRequest({ at: 10, inputTokens: 20 }))).toMatchObject({
      isAdmitted: true,
    });
  });

  it('[CTX1] lets a call pass that fits exactly', async () => {
    const breaker = new Breaker({ contextWindow });
    const request = modelRequest({ inputTokens: 800, maxOutputTokens: 200 });
    expect((await breaker.admit(request)).isAdmitted).toBe(true);
  });

  it('[CTX2] keeps the headroom free when the length of the answer is unknown', async () => {
    const breaker = new Breaker({ contextWindow });
    expect((await breaker.admit(modelRequest({ inputTokens: 900 }))).isAdmitted).toBe(true);
    expect((await breaker.admit(modelRequest({ inputTokens: 901 }))).isAdmitted).toBe(false);
  });

  it('[CTX2] keeps nothing free where no headroom is declared', () => {
    const breaker = new Breaker({ contextWindow: { maxContextTokens: 10 } });
    expect(breaker.admit(modelRequest({ inputTokens: 10 }))).toMatchObject({ isAdmitted: true });
    expect(breaker.admit(modelRequest({ inputTokens: 11 }))).toMatchObject({ isAdmitted: false });
  });

  it('[CTX3] estimates a prompt that nobody counted from all that was said', async () => {
    const breaker = new Breaker({ contextWindow });
    breaker.observe(message('user', '報告'.repeat(600)));
    expect((await breaker.admit(modelRequest())).isAdmitted).toBe(false);
  });

  it('[CTX5] lets a nested chat begin with an empty history', async () => {
    const breaker = new Breaker({ contextWindow, repetition: false });
    breaker.observe(message('user', '報告'.repeat(400)));
    const path = ['root', 'review'];
    const start = { kind: 'nested-start', at: 0, agent: 'writer', chatId: 'review' } as const;
    await breaker.admit({ ...start, depth: 1, path, trigger: 'reply:writer' });
    breaker.observe({ ...message('critic', '報告'.repeat(300)), depth: 1 });
    expect((await breaker.admit(modelRequest({ depth: 1 }))).isAdmitted).toBe(true);
  });

  it('[CTX4] takes a headroom that leaves one token', () => {
    const window = { maxContextTokens: 10, headroom: 9 };
    expect(() => new Breaker({ contextWindow: window })).not.toThrow();
  });

  it.each([
    [{ maxContextTokens: 0 }, 'contextWindow.maxContextTokens'],
    [{ maxContextTokens: 10, headroom: 10 }, 'contextWindow.headroom'],
    [{ maxContextTokens: 10, headroom: -1 }, 'contextWindow.headroom'],
  ])('[CTX4] refuses %j and names the option', (window, option) => {
    expect(() => new Breaker({ contextWindow: window })).toThrow(
      expect.objectContaining({ name: InvalidOptionError.name, option }),
    );
  });
});
