import type { ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { expect, test } from 'vitest';
import { tripOf } from '../../src/index.ts';
import { ServedGateway } from './support/served-gateway.ts';

const MESSAGES = [{ role: 'user' as const, content: 'A poem.' }];

/** How each SDK streams, and the first event of its answer. */
const STREAMS: Readonly<
  Record<string, readonly [(url: string) => Promise<AsyncIterable<unknown>>, string]>
> = {
  'OpenAI, Chat Completions': [
    (url) =>
      new OpenAI({ apiKey: 'k', baseURL: `${url}/v1` }).chat.completions.create({
        model: 'gpt-4o-mini',
        messages: MESSAGES,
        stream: true,
      }),
    'data: {"choices":[{"index":0,"delta":{"role":"assistant","content":"The sea"}}]}\n\n',
  ],
  'OpenAI, Responses': [
    (url) =>
      new OpenAI({ apiKey: 'k', baseURL: `${url}/v1` }).responses.create({
        model: 'gpt-4o-mini',
        input: 'A poem.',
        stream: true,
      }),
    'event: response.output_text.delta\ndata: {"type":"response.output_text.delta","delta":"The sea"}\n\n',
  ],
  Anthropic: [
    (url) =>
      new Anthropic({ apiKey: 'k', baseURL: url }).messages.create({
        model: 'claude-haiku-4-5',
        max_tokens: 9,
        messages: MESSAGES,
        stream: true,
      }),
    'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"The sea"}}\n\n',
  ],
};

test.each(Object.entries(STREAMS))(
  '[WIRE50] tripOf() reads why a stream was cut off from the error of %s',
  async (_, [open, event]) => {
    const answer = async (_request: unknown, response: ServerResponse): Promise<void> => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (; !response.destroyed; await setImmediate()) response.write(event);
    };
    await using served = await ServedGateway.start(answer);
    const read = async (): Promise<void> => {
      for await (const _piece of await open(served.url)) served.breaker.stop('enough');
    };
    const error = await read().catch((thrown: unknown) => thrown);
    expect(tripOf(error)).toEqual({ kind: 'manual', reason: 'enough' });
  },
);
