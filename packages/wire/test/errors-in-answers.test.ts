import { Breaker, type Signal } from '@teamfuse/core';
import { describe, expect, test } from 'vitest';
import { guardFetch } from '../src/index.ts';

const messages = [{ role: 'user', content: 'Write a poem about the sea. '.repeat(500) }];
const asked = { model: 'gpt-4o', max_tokens: 30_000, messages };
const overloaded = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };
const failed = { id: 'r', status: 'failed', error: { code: 'server_error', message: 'x' } };

/** Where and how APIs send an error although the status says that all is well. */
const ERRORS: Readonly<Record<string, readonly [path: string, body: object, answer: Response]>> = {
  'Messages, streamed': ['/v1/messages', { ...asked, stream: true }, events(overloaded)],
  Messages: ['/v1/messages', asked, Response.json(overloaded)],
  'Chat Completions': [
    '/v1/chat/completions',
    asked,
    Response.json({ error: { code: 429, message: 'The provider is busy.' } }),
  ],
  'Chat Completions, streamed': [
    '/v1/chat/completions',
    { ...asked, stream: true },
    events({ error: { type: 'server_error', message: 'x' } }),
  ],
  Responses: ['/v1/responses', { ...asked, input: messages }, Response.json(failed)],
  'Responses, streamed': [
    '/v1/responses',
    { model: 'gpt-4o', stream: true, max_output_tokens: 30_000, input: messages },
    events({ type: 'response.failed', response: failed }),
  ],
  'Gemini, as a list': [
    '/v1beta/models/gemini-2.5-pro:streamGenerateContent',
    { contents: [{ role: 'user', parts: [{ text: 'Write.' }] }] },
    Response.json([{ error: { code: 503, status: 'UNAVAILABLE', message: 'x' } }]),
  ],
};

describe('an error in place of an answer', () => {
  test.each(Object.entries(ERRORS))('[WIRE100] of %s costs nothing', async (_, parts) => {
    const { text, usages, breaker } = await ask(...parts);
    expect(text).toContain('error');
    expect(usages).toMatchObject([
      { inputTokens: 0, error: { message: expect.stringContaining('in place') } },
    ]);
    expect(breaker.cost).toMatchObject({ nanoUsd: 0, tokens: 0 });
  });

  test('[WIRE100] leaves what came of the answer before it booked', async () => {
    const begun = { choices: [{ index: 0, delta: { content: 'Roses are red.' } }] };
    const answer = events(begun, { error: { code: 502, message: 'gone' } });
    const { breaker } = await ask('/v1/chat/completions', { ...asked, stream: true }, answer);
    expect(breaker.cost).toMatchObject({ isEstimate: true });
    expect(breaker.cost.tokens).toBeGreaterThan(3_000);
  });
});

async function ask(path: string, body: object, answer: Response) {
  const breaker = new Breaker({ budget: { maxUsd: 5 } });
  const usages: Signal[] = [];
  breaker.on('signal', ({ signal }) => {
    if (signal.kind === 'usage') usages.push(signal);
  });
  const fetch = guardFetch(breaker, { fetch: async () => answer });
  const response = await fetch(`https://api.example${path}`, {
    method: 'POST',
    body: JSON.stringify(body),
  });
  return { text: await response.text(), usages, breaker };
}

function events(...all: readonly object[]): Response {
  const body = all.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
}
