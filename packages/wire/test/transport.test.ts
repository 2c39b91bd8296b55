import Anthropic from '@anthropic-ai/sdk';
import { Breaker } from '@teamfuse/core';
import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import { guardFetch } from '../src/index.ts';
import { ModelEndpoint, type Said } from './support/model-endpoint.ts';
import { answerOf, said, user, Wiretap } from './support/wiretap.ts';

const MODEL = 'gpt-4o-mini';
const LINES = 'One line of a poem, and a second line of it, and a third one that rhymes.';

/** A breaker, a guarded client of an endpoint, and the usages that the breaker was told. */
function clientOf(endpoint: ModelEndpoint, maxRetries = 2) {
  const breaker = new Breaker();
  const usages: object[] = [];
  const conversations = new Set<string>();
  breaker.on('signal', ({ signal, conversation }) => {
    conversations.add(conversation);
    if (signal.kind === 'usage') usages.push(signal);
  });
  const fetch = guardFetch(breaker);
  const openai = new OpenAI({ apiKey: 'k', baseURL: `${endpoint.url}/v1`, fetch, maxRetries });
  return { breaker, usages, conversations, openai, fetch };
}

const asked = { model: MODEL, messages: [{ role: 'user' as const, content: 'Write a poem.' }] };

describe('a guarded client', () => {
  test('[WIRE13] tries again as it does without a guard, and this is one conversation', async () => {
    const script = (i: number): Said => (i === 0 ? { status: 500 } : { text: LINES });
    await using endpoint = await ModelEndpoint.start(script);
    const { conversations, usages, openai } = clientOf(endpoint);
    const { choices } = await openai.chat.completions.create(asked);
    expect(choices[0]?.message.content).toBe(LINES);
    expect(endpoint.got).toHaveLength(2);
    expect(usages).toMatchObject([
      { error: { code: '500' } },
      { outputTokens: expect.any(Number) },
    ]);
    expect(conversations.size).toBe(1);
  });

  test('[WIRE13] does not try again what was refused', async () => {
    await using endpoint = await ModelEndpoint.start(() => ({ text: LINES }));
    const { breaker, openai } = clientOf(endpoint);
    const named = { headers: { 'x-teamfuse-conversation': 'poem' } };
    await openai.chat.completions.create(asked, named);
    breaker.stop('enough');
    const refused = openai.chat.completions.create(asked, named);
    await expect(refused).rejects.toMatchObject({ status: 402 });
    expect(endpoint.got).toHaveLength(1);
  });

  test('[WIRE13] gets errors of the API as they are', async () => {
    await using endpoint = await ModelEndpoint.start(() => ({ status: 429 }));
    const { fetch } = clientOf(endpoint);
    const url = `${endpoint.url}/v1/chat/completions`;
    const response = await fetch(url, { method: 'POST', body: JSON.stringify(asked) });
    expect(response.status).toBe(429);
    expect(response.headers.get('x-request-id')).toBe('r1');
    expect(await response.json()).toEqual({ error: { message: 'overloaded' } });
  });

  test('[WIRE13] gets the response, the parsed answer and the stream of its SDK', async () => {
    await using endpoint = await ModelEndpoint.start(() => ({ text: '{"rhymes":true}' }));
    const { openai } = clientOf(endpoint);
    const { data, response } = await openai.chat.completions.create(asked).withResponse();
    expect(data.choices[0]?.message.content).toBe('{"rhymes":true}');
    expect(response.url).toBe(`${endpoint.url}/v1/chat/completions`);
    const format = {
      type: 'json_schema',
      json_schema: { name: 'a', schema: {}, strict: true },
    } as const;
    const parsed = await openai.chat.completions.parse({ ...asked, response_format: format });
    expect(parsed.choices[0]?.message.parsed).toEqual({ rhymes: true });
  });

  test('[WIRE14] ends a call with its caller', async () => {
    await using endpoint = await ModelEndpoint.start(() => ({ text: LINES, stopsAfter: 3 }));
    const { usages, openai } = clientOf(endpoint, 0);
    const leaving = new AbortController();
    const stream = await openai.chat.completions.create(
      { ...asked, stream: true },
      { signal: leaving.signal },
    );
    const heard: string[] = [];
    const reading = (async () => {
      for await (const { choices } of stream) {
        heard.push(choices[0]?.delta.content ?? '');
        if (heard.length === 3) leaving.abort();
      }
    })();
    await reading.catch(() => {});
    await expect.poll(() => endpoint.left).toBe(1);
    expect(heard.join('')).toBe(LINES.slice(0, 16));
    await expect.poll(() => usages).toMatchObject([{ isPartial: true, isEstimate: true }]);
    expect(usages[0]).not.toHaveProperty('error');
  });

  test('[WIRE14] that stops reading ends the call at its endpoint, too', async () => {
    await using endpoint = await ModelEndpoint.start(() => ({ text: LINES, stopsAfter: 4 }));
    const { usages, openai } = clientOf(endpoint);
    const stream = await openai.chat.completions.create({ ...asked, stream: true });
    for await (const { choices } of stream) if (choices[0]?.delta.content) break;
    await expect.poll(() => endpoint.left).toBe(1);
    await expect.poll(() => usages).toMatchObject([{ isPartial: true }]);
  });

  test('[WIRE14] that reads to the end is billed what the endpoint reports', async () => {
    await using endpoint = await ModelEndpoint.start(() => ({ text: LINES }));
    const { usages, openai } = clientOf(endpoint);
    const stream = await openai.chat.completions.create({ ...asked, stream: true });
    for await (const _ of stream);
    expect(usages).toMatchObject([{ outputTokens: endpoint.served.output }]);
    expect(usages[0]).not.toHaveProperty('isPartial');
  });

  test('[WIRE15] sees an endpoint die in the middle of a stream, and pays for what came', async () => {
    await using endpoint = await ModelEndpoint.start(() => ({ text: LINES, diesAfter: 6 }));
    const { usages, openai } = clientOf(endpoint, 0);
    const stream = await openai.chat.completions.create({ ...asked, stream: true });
    let heard = '';
    const reading = (async () => {
      for await (const { choices } of stream) heard += choices[0]?.delta.content ?? '';
    })();
    await expect(reading).rejects.toThrow();
    expect(LINES.startsWith(heard)).toBe(true);
    expect(usages).toMatchObject([{ isPartial: true, isEstimate: true }]);
    expect(usages[0]).toHaveProperty('outputTokens', Math.ceil(heard.length / 4));
  });

  test('[WIRE15] of Messages pays for what came, not for what its first event says', async () => {
    await using endpoint = await ModelEndpoint.start(() => ({ text: LINES, diesAfter: 3 }));
    const { usages, fetch } = clientOf(endpoint);
    const anthropic = new Anthropic({ apiKey: 'k', baseURL: endpoint.url, fetch, maxRetries: 0 });
    const request = { model: 'claude-3-5-haiku-latest', max_tokens: 90, messages: asked.messages };
    await expect(anthropic.messages.stream(request).finalMessage()).rejects.toThrow();
    expect(usages).toMatchObject([{ inputTokens: endpoint.served.input, isPartial: true }]);
    expect(usages[0]).toHaveProperty('outputTokens', Math.ceil(LINES.length / 4));
  });
});

describe('a request', () => {
  test.each([
    ['https://api.example/v1/embeddings', 'POST'],
    ['https://api.example/v1/models', 'GET'],
    ['https://api.example/v1/messages/count_tokens', 'POST'],
    ['https://api.example/v1/threads/t1/messages', 'POST'],
  ])('[WIRE16] to %s passes untouched', async (url, method) => {
    const wiretap = new Wiretap();
    wiretap.breaker.stop('enough');
    const body = method === 'GET' ? null : '{"role":"user","content":"text","input":["a"]}';
    const response = await wiretap.fetch(url, { method, body, headers: { a: 'b' } });
    expect(response.status).toBe(200);
    expect(wiretap.sent).toMatchObject([{ body: body ?? '' }]);
    expect(wiretap.sent[0]?.headers.get('a')).toBe('b');
    expect(wiretap.told).toEqual([]);
  });

  const url = 'https://api.example/v1/chat/completions';
  const text = JSON.stringify(asked);
  const bytes = new TextEncoder().encode(text);
  const forms: readonly (readonly [string, () => Parameters<typeof fetch>])[] = [
    ['a Request', () => [new Request(url, { method: 'POST', body: text })]],
    ['a URL and text', () => [new URL(url), { method: 'post', body: text }]],
    ['bytes', () => [url, { method: 'POST', body: bytes }]],
    ['a Blob', () => [url, { method: 'POST', body: new Blob([bytes]) }]],
    [
      'a stream',
      () => [
        url,
        { method: 'POST', body: new Blob([bytes]).stream(), duplex: 'half' } as RequestInit,
      ],
    ],
  ];

  test.each(forms)(
    '[WIRE17] that is given as %s is guarded, and sent as it is',
    async (_, form) => {
      const wiretap = new Wiretap({ conversation: 'poem' });
      await wiretap.fetch(...form());
      expect(wiretap.sent).toMatchObject([{ body: text }]);
      expect(wiretap.heard).toEqual(['user: Write a poem.']);
      wiretap.breaker.stop('enough');
      const refused = await wiretap.fetch(...form());
      expect(refused.status).toBe(402);
      expect(wiretap.sent).toHaveLength(1);
    },
  );

  test.each(['', 'null', '\u0000', '{"input":7}'])(
    '[WIRE18] with the body %j is left to the endpoint',
    async (body) => {
      const wiretap = new Wiretap();
      wiretap.next = () => Response.json({ error: { message: 'bad request' } }, { status: 400 });
      const response = await wiretap.fetch(url, { method: 'POST', body });
      expect(response.status).toBe(400);
      expect(wiretap.sent).toMatchObject([{ body }]);
    },
  );

  test('[WIRE18] whose bytes are no text is sent on as it is', async () => {
    const body = Uint8Array.from([0x1f, 0x8b, 8, 0, 255, 254, 0x80]);
    let sent: unknown;
    const fetch = guardFetch(new Breaker(), {
      fetch: async (input, init) => {
        sent = [...new Uint8Array(await new Request(input, init).arrayBuffer())];
        return new Response();
      },
    });
    await fetch(url, { method: 'POST', body, headers: { 'content-encoding': 'gzip' } });
    expect(sent).toEqual([...body]);
  });

  test('[WIRE18] of 10 MB passes with its answer of 10 MB', async () => {
    const wiretap = new Wiretap();
    const large = 'All work and no play makes a dull report. '.repeat(250_000);
    wiretap.next = () => Response.json(answerOf(said(`${large}!`)));
    const response = await wiretap.ask([user(large)], '');
    expect((await response.text()).length).toBeGreaterThan(large.length);
    expect(wiretap.sent[0]?.body.length).toBeGreaterThan(large.length);
  });

  test('[WIRE18] gets an answer that is no JSON as it is', async () => {
    const wiretap = new Wiretap();
    wiretap.next = () => new Response('<html>', { headers: { 'content-type': 'text/html' } });
    const response = await wiretap.ask([user('Write a poem.')], '');
    expect(await response.text()).toBe('<html>');
    expect(response.headers.get('content-type')).toBe('text/html');
  });
});
