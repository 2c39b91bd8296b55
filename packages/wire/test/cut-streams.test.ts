import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import { serve } from '@hono/node-server';
import { Breaker } from '@teamfuse/core';
import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import { createGateway } from '../src/gateway/index.ts';
import { guardFetch, tripOf } from '../src/index.ts';
import { ModelEndpoint } from './support/model-endpoint.ts';

const SENTENCE = 'I will check the file once more. ';
const BEFORE = Array.from({ length: 40 }, (_, i) => `Finding ${i} is about part ${i * 7}. `).join(
  '',
);
const DEGENERATE = BEFORE + SENTENCE.repeat(4_000);
/** How many characters of the same come through, at most. */
const MOST = 6_100;
const USER = [{ role: 'user' as const, content: 'Look at the file.' }];
const lines = (count: number, line: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => line(i)).join('\n');
const TWINS: Readonly<Record<string, string>> = {
  'a table of rows that look alike': lines(250, (i) => `| ${i} | open | yes | 0.00 |`),
  'a song with a refrain': lines(
    9,
    (i) => `Verse ${i} of the song.\n\nAnd the wheel turns round.\n`,
  ),
  'a row of zeros': '0'.repeat(9_000),
  'a block of code whose lines are the same': `\`\`\`\n${lines(300, () => '    self.flush_events(timeout)')}\n\`\`\``,
  'the same with another figure each time': lines(300, (i) => `I will check file ${i} once more.`),
};

/** Asks an API for a stream: all that comes of it, and the error that ends it. */
type Ask = (options: { baseURL: string; fetch: typeof fetch }) => AsyncIterable<string>;

async function* chat({ baseURL, fetch }: Parameters<Ask>[0]): AsyncIterable<string> {
  const client = new OpenAI({ apiKey: 'k', baseURL: `${baseURL}/v1`, fetch, maxRetries: 0 });
  const asked = { model: 'gpt-4o-mini', messages: USER, stream: true } as const;
  for await (const { choices } of await client.chat.completions.create(asked)) {
    yield choices[0]?.delta.content ?? '';
  }
}

async function* responses({ baseURL, fetch }: Parameters<Ask>[0]): AsyncIterable<string> {
  const client = new OpenAI({ apiKey: 'k', baseURL: `${baseURL}/v1`, fetch, maxRetries: 0 });
  const asked = { model: 'gpt-4o-mini', input: USER, stream: true } as const;
  for await (const event of await client.responses.create(asked)) {
    if (event.type === 'response.output_text.delta') yield event.delta;
  }
}

async function* messages({ baseURL, fetch }: Parameters<Ask>[0]): AsyncIterable<string> {
  const client = new Anthropic({ apiKey: 'k', baseURL, fetch, maxRetries: 0 });
  const asked = { model: 'claude-3-5-haiku-latest', max_tokens: 64_000, messages: USER };
  for await (const event of client.messages.stream(asked)) {
    if (event.type === 'content_block_delta' && event.delta.type === 'text_delta')
      yield event.delta.text;
  }
}

async function* gemini({ baseURL: baseUrl, fetch }: Parameters<Ask>[0]): AsyncIterable<string> {
  const { models } = new GoogleGenAI({ apiKey: 'k', httpOptions: { baseUrl, fetch } });
  const asked = { model: 'gemini-2.5-flash', contents: 'Look at the file.' };
  for await (const chunk of await models.generateContentStream(asked)) yield chunk.text ?? '';
}

/** The same as a list in JSON, whose entries stand on lines of their own. */
async function* geminiList({ baseURL, fetch }: Parameters<Ask>[0]): AsyncIterable<string> {
  const body = JSON.stringify({ contents: [{ parts: [{ text: 'Look at the file.' }] }] });
  const url = `${baseURL}/v1beta/models/gemini-2.5-flash:streamGenerateContent`;
  const response = await fetch(url, { method: 'POST', body });
  let text = '';
  for await (const bytes of response.body ?? []) {
    text += Buffer.from(bytes).toString();
    const lines = text.split(',\r\n');
    text = lines.pop() ?? '';
    for (const line of lines) yield textOf(JSON.parse(line.replace(/^\[/, '')));
  }
  // Without the bracket at its end, it has broken off.
  const [last, error] = JSON.parse(`[${text.replace(/^\[/, '')}`);
  yield textOf(last);
  if (error !== undefined) throw new Error(error.error.message);
}

function textOf({ candidates }: { readonly candidates: readonly GeminiCandidate[] }): string {
  return (candidates[0]?.content.parts ?? [])
    .map((part) => (part.thought ? '' : part.text))
    .join('');
}

interface GeminiCandidate {
  readonly content: { readonly parts: readonly { readonly text: string; thought?: boolean }[] };
}

async function read(pieces: AsyncIterable<string>): Promise<{ text: string; error: unknown }> {
  let text = '';
  try {
    for await (const piece of pieces) text += piece;
    return { text, error: undefined };
  } catch (error) {
    return { text, error };
  }
}

/** A guarded endpoint that says this, behind `guardFetch()` or a gateway. */
async function guarded(text: string, isGateway: boolean, fails = false) {
  const endpoint = await ModelEndpoint.start(() => ({ text }));
  const breaker = new Breaker(fails ? { repetition: { cutsStreams: false } } : {});
  const usages: object[] = [];
  breaker.on('signal', ({ signal }) => {
    if (signal.kind === 'usage') usages.push(signal);
  });
  if (!isGateway) {
    const client = { baseURL: endpoint.url, fetch: guardFetch(breaker) };
    return {
      endpoint,
      breaker,
      usages,
      client,
      [Symbol.asyncDispose]: () => endpoint[Symbol.asyncDispose](),
    };
  }
  const gateway = createGateway({ upstream: endpoint.url, breaker });
  const server = serve({ fetch: gateway.fetch, port: 0, hostname: '127.0.0.1' }) as Server;
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = { baseURL: `http://127.0.0.1:${port}`, fetch: globalThis.fetch };
  const stop = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await endpoint[Symbol.asyncDispose]();
  };
  return { endpoint, breaker, usages, client, [Symbol.asyncDispose]: stop };
}

const APIS: readonly (readonly [string, Ask])[] = [
  ['Chat Completions', chat],
  ['Responses', responses],
  ['Messages', messages],
  ['Gemini', gemini],
  ['Gemini as a list', geminiList],
];

describe.each(APIS)('a stream of %s that has come to repeat itself', (_, ask) => {
  test('[WIRE90] is cut off: the caller gets the trip, the upstream is left, and what came is booked', async () => {
    await using way = await guarded(DEGENERATE, false);
    const { text, error } = await read(ask(way.client));
    expect(text.length - BEFORE.length).toBeLessThan(MOST);
    expect(DEGENERATE.startsWith(text)).toBe(true);
    expect(tripOf(error)).toMatchObject({ kind: 'repetition' });
    await expect.poll(() => way.endpoint.left).toBe(1);
    expect(way.usages).toMatchObject([{ isPartial: true, repeated: SENTENCE }]);
    const [{ outputTokens }] = way.usages as [{ outputTokens: number }];
    expect(outputTokens).toBeGreaterThanOrEqual(Math.ceil(text.length / 4));
    const { stopped, cost } = way.breaker;
    expect(stopped).toMatchObject([{ trip: { evidence: { cost } } }]);
    expect(cost.nanoUsd).toBeGreaterThan(0);
  });

  test('[GWY40] ends behind a gateway with an event that says why', async () => {
    await using way = await guarded(DEGENERATE, true);
    const { text, error } = await read(ask(way.client));
    expect(text.length - BEFORE.length).toBeLessThan(MOST);
    expect(DEGENERATE.startsWith(text)).toBe(true);
    expect(String(error)).toMatch(
      /The answer was cut off: assistant repeated the same text \d+ times/,
    );
    await expect.poll(() => way.endpoint.left).toBe(1);
    expect(way.usages).toMatchObject([{ isPartial: true, repeated: SENTENCE }]);
  });
});

describe.each([
  ['guardFetch', false],
  ['a gateway', true],
] as const)('a stream through %s', (_, isGateway) => {
  test.each(Object.entries(TWINS))(
    '[WIRE90] passes to its last byte if it is %s',
    async (_, twin) => {
      await using way = await guarded(twin, isGateway);
      expect(await read(chat(way.client))).toEqual({ text: twin, error: undefined });
      expect(way.endpoint.left).toBe(0);
      expect(way.breaker.stopped).toEqual([]);
      expect(way.usages).toMatchObject([{ inputTokens: way.endpoint.served.input }]);
    },
  );
});

test('[WIRE93] a list of Gemini that is cut off behind a gateway is whole, and ends with the error', async () => {
  await using way = await guarded(DEGENERATE, true);
  const { baseURL, fetch } = way.client;
  const body = JSON.stringify({ contents: [{ parts: [{ text: 'Look at the file.' }] }] });
  const url = `${baseURL}/v1beta/models/gemini-2.5-flash:streamGenerateContent`;
  const chunks = (await (await fetch(url, { method: 'POST', body })).json()) as object[];
  expect(chunks.length).toBeGreaterThan(20);
  expect(chunks.at(-1)).toMatchObject({
    error: { code: 402, details: [{ domain: 'teamfuse', metadata: { kind: 'repetition' } }] },
  });
});

test('[WIRE90] passes with cutsStreams: false', async () => {
  await using way = await guarded(DEGENERATE, false, true);
  expect(await read(chat(way.client))).toEqual({ text: DEGENERATE, error: undefined });
});
