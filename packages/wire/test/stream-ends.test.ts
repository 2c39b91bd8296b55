import { Breaker } from '@teamfuse/core';
import { describe, expect, test } from 'vitest';
import { guardFetch } from '../src/index.ts';

const CHAT = 'https://api.example/v1/chat/completions';
const RESPONSES = 'https://api.example/v1/responses';
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const chunk = (delta: object, finish_reason: string | null = null): string =>
  `data: ${JSON.stringify({ id: 'x', choices: [{ index: 0, delta, finish_reason }] })}`;
const USAGE = 'data: {"id":"x","choices":[],"usage":{"prompt_tokens":11,"completion_tokens":7}}';
const EVENTS = [chunk({ content: 'Häß ' }), chunk({ content: '😀' }), chunk({}, 'stop')];

/** An answer in these pieces, as a caller gets it, with what was booked. `given` tells how many were asked for. */
function answered(pieces: readonly Uint8Array[], url = CHAT, more: object = {}) {
  const breaker = new Breaker();
  const given = { count: 0 };
  const body = new ReadableStream({
    pull(controller) {
      const piece = pieces[given.count++];
      if (piece === undefined) controller.close();
      else controller.enqueue(piece);
    },
  });
  const headers = { 'content-type': 'text/event-stream' };
  const fetcher = guardFetch(breaker, { fetch: async () => new Response(body, { headers }) });
  const messages = [{ role: 'user', content: 'x' }];
  const asked = { model: 'gpt-4o', stream: true, messages, input: 'x', ...more };
  const response = fetcher(url, { method: 'POST', body: JSON.stringify(asked) });
  return { breaker, given, response };
}

describe.each([
  ['LF LF', '\n', '\n'],
  ['CRLF CRLF', '\r\n', '\r\n'],
  ['CR CR', '\r', '\r'],
  ['LF CRLF', '\n', '\r\n'],
  ['CRLF LF', '\r\n', '\n'],
  ['CR CRLF', '\r', '\r\n'],
  ['LF CR', '\n', '\r'],
])('a stream whose events end in %s', (_, first, second) => {
  const end = first + second;
  const text = [...EVENTS, USAGE, 'data: [DONE]'].map((event) => event + end).join('');
  const shown = [...EVENTS, 'data: [DONE]'].map((event) => event + end).join('');

  test.each([
    ['hides its usage', {}, shown],
    ['shows the usage that was asked for', { stream_options: { include_usage: true } }, text],
  ])('[WIRE51] %s, wherever its bytes are cut', async (__, more, expected) => {
    const bytes = bytesOf(text);
    for (let cut = 0; cut <= bytes.length; cut += 3) {
      const pieces = [bytes.slice(0, cut), bytes.slice(cut)].filter(({ length }) => length > 0);
      const { breaker, response } = answered(pieces, CHAT, more);
      expect(await (await response).text(), `${cut}`).toBe(expected);
      expect(breaker.cost, `${cut}`).toMatchObject({ tokens: 18, isEstimate: false });
    }
  });

  test('[WIRE51] arrives event by event', async () => {
    const pieces = Array.from({ length: 9 }, () => bytesOf(EVENTS[0] + end));
    const { given, response } = answered(pieces);
    const reader = ((await response).body as ReadableStream<Uint8Array>).getReader();
    const { value } = await reader.read();
    expect(new TextDecoder().decode(value)).toBe(EVENTS[0] + end);
    expect(given.count).toBeLessThan(pieces.length);
    await reader.cancel();
  });
});

describe('a stream that dies', () => {
  const thoughts = 'The moon pulls at the sea. '.repeat(100);

  test.each([
    ['thoughts', chunk({ reasoning_content: thoughts })],
    [
      'another answer',
      `data: ${JSON.stringify({ choices: [{ index: 1, delta: { content: thoughts } }] })}`,
    ],
  ])('[WIRE15] counts %s that came before', async (_, event) => {
    const { breaker, response } = answered([
      bytesOf(`${chunk({ content: 'So' })}\n\n${event}\n\n`),
    ]);
    await (await response).text();
    expect(breaker.cost.tokens).toBeGreaterThan(500);
    expect(breaker.cost.isEstimate).toBe(true);
  });
});

describe('an event', () => {
  test.each([
    ['without a space', 'data:{', 'data:{'],
    ['after two spaces', 'data:  {', 'data:  {'],
    ['after the mark of UTF-8', '\ufeffdata: {', 'data: {'],
    ['after empty lines', '\n\n\ndata: {', 'data: {'],
    ['in two lines', 'data: {\ndata: ', 'data: {\ndata: '],
  ])('[WIRE51] is read %s', async (_, first, other) => {
    const start = /data: \{/;
    const shown = EVENTS.map((event, i) => `${event.replace(start, i ? other : first)}\n\n`).join(
      '',
    );
    const text = `${shown}${USAGE.replace(start, other)}\n\n`;
    for (let cut = 1; cut < 9; cut++) {
      const { breaker, response } = answered([
        bytesOf(text).slice(0, cut),
        bytesOf(text).slice(cut),
      ]);
      const got = new Uint8Array(await (await response).arrayBuffer());
      expect(new TextDecoder('utf-8', { ignoreBOM: true }).decode(got)).toBe(shown);
      expect(breaker.cost).toMatchObject({ tokens: 18, isEstimate: false });
    }
  });

  test.each(['\ufeff', ' '])('[WIRE51] is read alone, and after %j', async (first) => {
    const event = JSON.stringify({
      type: 'response.completed',
      response: {
        id: 'r',
        status: 'completed',
        output: [],
        usage: { input_tokens: 5, output_tokens: 6 },
      },
    });
    const text = first === ' ' ? `data:  ${event}\n\n` : `${first}data: ${event}\n\n`;
    const { breaker, response } = answered([bytesOf(text)], RESPONSES);
    await (await response).text();
    expect(breaker.cost).toMatchObject({ tokens: 11, isEstimate: false });
  });

  const picture = JSON.stringify({
    type: 'response.image_generation_call.partial_image',
    partial_image_b64: 'A'.repeat(3 * 2 ** 20),
  });
  const completed = JSON.stringify({
    type: 'response.completed',
    response: {
      id: 'r',
      status: 'completed',
      output: [{ type: 'image_generation_call', result: 'A'.repeat(3 * 2 ** 20) }],
      usage: { input_tokens: 1_000, output_tokens: 50_000 },
    },
  });

  test('[WIRE52] of some megabytes is read like any other', async () => {
    const text = `data: ${picture}\n\ndata: ${completed}\n\n`;
    const { breaker, response } = answered(inPieces(text, 16_384), RESPONSES);
    expect(await (await response).text()).toBe(text);
    expect(breaker.cost).toMatchObject({ tokens: 51_000, isEstimate: false });
  });

  test('[WIRE52] that is long is passed on before its end, and the usage after it hidden', async () => {
    const words = Array.from({ length: 40_000 }, (_, i) => `${i} `);
    const long = chunk({ content: words.join('') });
    const text = `${long}\n\n${chunk({}, 'stop')}\n\n`;
    const { breaker, response, given } = answered(inPieces(`${text}${USAGE}\n\n`, 10_000));
    const reader = ((await response).body as ReadableStream<Uint8Array>).getReader();
    let got = new TextDecoder().decode((await reader.read()).value);
    expect(given.count).toBeLessThan(10);
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      got += new TextDecoder().decode(part.value);
    }
    expect(got).toBe(text);
    expect(breaker.cost.tokens).toBe(18);
  });

  test('[WIRE52] that comes byte by byte takes time that grows with its length alone', async () => {
    const took = async (length: number): Promise<number> => {
      const { response } = answered(inPieces(`data: ${'a'.repeat(length)}`, 1));
      const from = process.cpuUsage();
      await (await response).text();
      const { user, system } = process.cpuUsage(from);
      return user + system;
    };
    await took(20_000);
    const [short, long] = [await took(25_000), await took(200_000)];
    // Eight times as long; with the square of the length it would be 64 times.
    expect(long / short).toBeLessThan(30);
  }, 60_000);
});

function inPieces(text: string, size: number): readonly Uint8Array[] {
  const bytes = bytesOf(text);
  const count = Math.ceil(bytes.length / size);
  return Array.from({ length: count }, (_, i) => bytes.subarray(i * size, (i + 1) * size));
}
