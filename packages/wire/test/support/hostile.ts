import { Breaker } from '@teamfuse/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { guardFetch } from '../../src/index.ts';

const GEMINI = '/v1beta/models/gemini-2.5-flash';
export const PATHS: readonly string[] = [
  ...['/v1/chat/completions', '/v1/responses', '/v1/messages', '/v1internal:generateContent'],
  ...[`${GEMINI}:streamGenerateContent?alt=sse`, `${GEMINI}:streamGenerateContent`],
];

/** Keys and values that formats look at, among any others. */
const WORDS = [
  ...['messages', 'input', 'output', 'role', 'content', 'tool_calls', 'function', 'arguments'],
  ...[
    'type',
    'text',
    'id',
    'call_id',
    'tool_use_id',
    'name',
    'stream',
    'choices',
    'delta',
    'usage',
  ],
  ...['message', 'index', 'system', 'instructions', 'response', 'item', 'content_block', 'model'],
  ...['contents', 'parts', 'functionCall', 'functionResponse', 'candidates', 'inlineData', 'data'],
  ...['generationConfig', 'toolConfig', 'args', 'thought', 'partialArgs', 'usageMetadata'],
];
const VALUES = [
  ...['user', 'assistant', 'system', 'tool', 'text', 'tool_use', 'tool_result', 'function_call'],
  ...['function_call_output', 'message', 'message_start', 'content_block_delta', 'refusal'],
];

const { json } = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(...VALUES),
    fc.oneof(fc.string(), fc.double(), fc.boolean(), fc.constant(null)),
    fc.array(tie('json'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(fc.constantFrom(...WORDS), fc.string()), tie('json'), { maxKeys: 6 }),
  ),
}));

const contents = fc.array(json).map((more) => [{ parts: [] }, ...more]);
const request = fc.record(
  {
    model: json,
    messages: fc.array(json),
    input: fc.array(json),
    contents: fc.oneof(
      contents,
      json.map((parts) => ({ parts })),
    ),
    request: fc.record({ contents }),
    system: json,
    stream: fc.boolean(),
  },
  { requiredKeys: ['messages', 'input', 'contents', 'request'] },
);

/** A guarded `fetch` whose endpoint gives one answer to all, and the bodies that it got. */
function guarded(answer: () => Response): {
  readonly fetch: typeof fetch;
  readonly got: string[];
} {
  const got: string[] = [];
  const onError = (error: unknown): void => expect(error).toBeUndefined();
  const endpoint = async (...[input, init]: Parameters<typeof fetch>): Promise<Response> => {
    got.push(await new Request(input, init).text());
    return answer();
  };
  const options = { fetch: endpoint, onError, streamUsage: false } as const;
  return { fetch: guardFetch(new Breaker({ reaction: 'observe' }), options), got };
}

/** Sends so many requests of any shape to each path, and a third fewer streams: all pass byte for byte. */
export function testTraffic(numRuns: number): void {
  describe.each(PATHS)('traffic at %s', (path) => {
    const url = `https://api.example${path}`;

    test('[WIRE19] of any shape is sent on byte for byte, and so is its answer', async () => {
      await fc.assert(
        fc.asyncProperty(request, json, async (asked, answered) => {
          const text = JSON.stringify(answered) ?? 'null';
          const { fetch, got } = guarded(() => new Response(text));
          const body = JSON.stringify(asked);
          const response = await fetch(url, { method: 'POST', body });
          expect(got).toEqual([body]);
          expect(await response.text()).toBe(text);
        }),
        { numRuns },
      );
    });

    test('[WIRE19] that is streamed in any pieces is passed on byte for byte', async () => {
      const event = fc.oneof(
        json.map((value) => `data: ${JSON.stringify(value)}\n\n`),
        fc.constantFrom(
          'data: [DONE]\n\n',
          ': ping\n\n',
          'event: a\r\ndata: {"type":1}\r\n\r\n',
          '\n',
        ),
        json.map((value) => `,${JSON.stringify(value)}`),
        fc.string({ unit: 'binary' }),
      );
      const streams = fc.tuple(fc.array(event), fc.array(fc.nat(40)));
      await fc.assert(
        fc.asyncProperty(streams, async ([events, cuts]) => {
          const sent = new TextEncoder().encode(events.join(''));
          const headers = { 'content-type': 'text/event-stream' };
          const { fetch } = guarded(() => new Response(inPieces(sent, cuts), { headers }));
          const said = { contents: [{ parts: [] }] };
          const asked = { messages: [], input: [], ...said, request: said };
          const body = JSON.stringify({ ...asked, stream: true });
          const response = await fetch(url, { method: 'POST', body });
          expect(new Uint8Array(await response.arrayBuffer())).toEqual(sent);
        }),
        { numRuns: (2 * numRuns) / 3 },
      );
    });
  });
}

function inPieces(bytes: Uint8Array, cuts: readonly number[]): ReadableStream<Uint8Array> {
  let at = 0;
  let cut = 0;
  return new ReadableStream({
    pull(controller) {
      const end = cut < cuts.length ? at + (cuts[cut] ?? 0) + 1 : bytes.length;
      if (at < bytes.length) controller.enqueue(bytes.slice(at, end));
      at = end;
      cut++;
      if (at >= bytes.length) controller.close();
    },
  });
}
