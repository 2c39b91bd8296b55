import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Breaker, type BreakerOptions } from '@teamfuse/core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createGateway } from '../src/gateway/index.ts';
import { guardFetch } from '../src/index.ts';

const LIMITED: BreakerOptions = { budget: { maxUsd: 5 } };
const usage = { input_tokens: 1_000, output_tokens: 1_000 };
const content = [{ type: 'text', text: 'Twice a day.' }];
let got: string[] = [];
const upstream: Server = createServer((request, response) => {
  got.push(`${request.method} ${request.url}`);
  request.resume();
  response.setHeader('content-type', 'application/json');
  response.end(
    JSON.stringify({ id: 'x', type: 'message', content, stop_reason: 'end_turn', usage }),
  );
});
beforeAll(async () => {
  await once(upstream.listen(0, '127.0.0.1'), 'listening');
});
beforeEach(() => {
  got = [];
});
afterAll(() => upstream.close());
const base = (): string => `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;

/** Paths at which a model answers, or much is spent, by what the guard calls them. */
const ANSWERING: readonly (readonly [string, string])[] = [
  ['/v1/batches', 'batches'],
  ['/v1/messages/batches', 'message batches of Anthropic'],
  ['/v1beta/models/gemini-2.5-flash:batchGenerateContent', 'batches of Gemini'],
  ['/v1beta/interactions', 'Interactions of Gemini'],
  ['/v1/videos', 'videos'],
  ['/v1beta/models/veo-3.1:predictLongRunning', 'videos'],
  ['/v1/realtime/client_secrets', 'Realtime sessions'],
  ['/v1/threads/thread_1/runs', 'runs of Assistants'],
  ['/v1/completions', 'Completions'],
  ['/model/anthropic.claude-sonnet-4-5-20250929-v1%3A0/converse-stream', 'calls of Bedrock'],
  ['/model/amazon.nova-pro-v1:0/invoke', 'calls of Bedrock'],
  ['/api/chat', 'calls of Ollama'],
  ['/v2/chat', 'calls of Cohere'],
  [
    '/v1/projects/p/locations/eu/publishers/mistralai/models/m:rawPredict',
    'calls of other models at Vertex AI',
  ],
  ['/v1//B%61tches/', 'batches'],
];
const BESIDE: readonly (readonly [string, string])[] = [
  ['/v1/embeddings', 'embeddings'],
  ['/v1beta/models/gemini-embedding-001:embedContent', 'embeddings'],
  ['/v1/images/generations', 'images'],
  ['/v1/audio/speech', 'sound'],
  ['/v2/rerank', 'rankings'],
];
const FREE = [
  ...['/v1/moderations', '/v1/files', '/v1/messages/count_tokens', '/v1/responses/input_tokens'],
  ...['/v1beta/models/gemini-2.5-flash:countTokens', '/v1/threads/t/messages', '/api/show'],
  '/v1/projects/p/locations/eu/publishers/anthropic/models/count-tokens:rawPredict',
];
const body = '{"model":"m","input":"x"}';

/** What a gateway answers and tells, and what reaches the upstream, for the same call twice. */
async function through(path: string, options: BreakerOptions, failMode: 'open' | 'closed') {
  const told: string[] = [];
  const mistakes: string[] = [];
  const gateway = createGateway({
    upstream: base(),
    breaker: new Breaker(options),
    failMode,
    onError: (error) => told.push((error as Error).message),
    onMistake: (mistake) => mistakes.push(mistake),
  });
  const statuses = [];
  for (let call = 0; call < 2; call++) {
    const asked = new Request(`http://127.0.0.1${path}`, { method: 'POST', body });
    statuses.push((await gateway.fetch(asked)).status);
  }
  return { statuses, told, mistakes, passed: got.length };
}

describe('a call that costs money and is not read', () => {
  test.each(ANSWERING)(
    '[WIRE96] to %s is told once by its name, and passes',
    async (path, name) => {
      const expected = {
        statuses: [200, 200],
        told: [`${name} are not booked, and their loops are not seen`],
        passed: 2,
      };
      expect(await through(path, {}, 'open')).toMatchObject(expected);
      got = [];
      expect(await through(path, LIMITED, 'open')).toMatchObject(expected);
    },
  );

  test.each(ANSWERING)(
    '[WIRE97] to %s is refused with a budget where failMode is closed',
    async (path, name) => {
      const refused = { statuses: [400, 400], told: [], passed: 0 };
      const mistake = `${name} cannot be counted, and failMode is closed`;
      expect(await through(path, LIMITED, 'closed')).toMatchObject({
        ...refused,
        mistakes: [mistake, mistake],
      });
    },
  );

  test.each(ANSWERING)('[WIRE97] to %s passes without a budget', async (path) => {
    expect(await through(path, {}, 'closed')).toMatchObject({ statuses: [200, 200], mistakes: [] });
  });

  test.each(BESIDE)('[WIRE96] to %s is told once with a budget, and passes', async (path, name) => {
    const expected = { statuses: [200, 200], told: [`${name} are not booked`], passed: 2 };
    expect(await through(path, LIMITED, 'closed')).toMatchObject(expected);
    expect(await through(path, {}, 'closed')).toMatchObject({ told: [] });
  });

  test.each(FREE)('[WIRE96] is not one to %s, which costs nothing', async (path) => {
    const expected = { statuses: [200, 200], told: [], mistakes: [], passed: 2 };
    expect(await through(path, LIMITED, 'closed')).toEqual(expected);
  });

  test('[WIRE97] is refused by guardFetch in the form of its API', async () => {
    const fetch = guardFetch(new Breaker(LIMITED), { failMode: 'closed' });
    const response = await fetch(`${base()}/v1/messages/batches`, { method: 'POST', body });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ type: 'error' });
  });

  test('[WIRE96] passes where it is only looked at', async () => {
    const fetch = guardFetch(new Breaker(LIMITED), { failMode: 'closed' });
    expect((await fetch(`${base()}/v1/batches`)).status).toBe(200);
  });
});

describe('Claude at Vertex AI', () => {
  test.each(['rawPredict', 'streamRawPredict'])(
    '[WIRE98] is read at :%s, and priced by the model in the path',
    async (method) => {
      const breaker = new Breaker(LIMITED);
      const model = 'claude-sonnet-4-5@20250929';
      const path = `/v1/projects/p/locations/eu/publishers/anthropic/models/${model}:${method}`;
      const asked = {
        anthropic_version: 'vertex-2023-10-16',
        max_tokens: 9,
        messages: [{ role: 'user', content: 'x' }],
      };
      const response = await guardFetch(breaker)(base() + path, {
        method: 'POST',
        body: JSON.stringify(asked),
      });
      expect(response.status).toBe(200);
      // 1,000 tokens at $3, and 1,000 at $15 for a million.
      expect(breaker.cost).toMatchObject({ nanoUsd: 18_000_000, isEstimate: false });
      breaker.stop('enough');
      const refused = await guardFetch(breaker)(base() + path, {
        method: 'POST',
        body: JSON.stringify(asked),
      });
      expect(refused.status).toBe(402);
    },
  );
});
