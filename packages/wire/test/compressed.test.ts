import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import * as zlib from 'node:zlib';
import { Breaker } from '@teamfuse/core';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type GuardFetchOptions, guardFetch } from '../src/index.ts';
import { answerOf, said } from './support/wiretap.ts';

const ASKED = { model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'Write a poem.' }] };
const TEXT = JSON.stringify(ASKED);
/** Zstandard came with Node 22.15. */
const { zstdCompressSync } = zlib as { readonly zstdCompressSync?: (text: string) => Buffer };
const PACKED: readonly (readonly [string, Buffer])[] = [
  ['gzip', zlib.gzipSync(TEXT)],
  ['x-gzip', zlib.gzipSync(TEXT)],
  ['deflate', zlib.deflateSync(TEXT)],
  ['br', zlib.brotliCompressSync(TEXT)],
  ['gzip, br', zlib.brotliCompressSync(zlib.gzipSync(TEXT))],
  ['identity', Buffer.from(TEXT)],
  ...(zstdCompressSync ? [['zstd', zstdCompressSync(TEXT)] as const] : []),
];
const LAYERS = zlib.gzipSync(zlib.gzipSync(zlib.gzipSync(TEXT)));
const BOMB = zlib.gzipSync(
  `{"messages":[{"role":"user","content":"${' '.repeat(70 * 2 ** 20)}"}]}`,
);

const got: { readonly body: Buffer; readonly encoding: string | undefined }[] = [];
const endpoint = createServer(async (request, response) => {
  got.push({
    body: await buffer(request),
    encoding: request.headers['content-encoding'],
  });
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(answerOf(said('Roses are red.'))));
});
let url = '';

beforeAll(async () => {
  await once(endpoint.listen(0, '127.0.0.1'), 'listening');
  url = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/v1/chat/completions`;
});
afterAll(() => {
  endpoint.closeAllConnections();
  endpoint.close();
});
beforeEach(() => {
  got.length = 0;
});

function client(options: GuardFetchOptions = {}) {
  const errors: string[] = [];
  const breaker = new Breaker();
  const onError = (error: unknown): number => errors.push(String(error));
  const guarded = guardFetch(breaker, { conversation: 'poem', onError, ...options });
  const ask = (body: Uint8Array<ArrayBuffer> | ReadableStream, encoding: string) => {
    const headers = { 'content-encoding': encoding };
    return guarded(url, { method: 'POST', body, headers, duplex: 'half' } as RequestInit);
  };
  return { breaker, errors, ask };
}

describe('a compressed request', () => {
  test.each(PACKED)('[WIRE27] in %s is guarded, and sent as it came', async (encoding, packed) => {
    const { ask, breaker, errors } = client();
    const body = new Uint8Array(packed);
    expect((await ask(body, encoding)).status).toBe(200);
    expect(got).toEqual([{ body: packed, encoding }]);
    expect(breaker.cost.tokens).toBe(15);
    breaker.stop('enough');
    expect((await ask(body, encoding)).status).toBe(402);
    expect(got).toHaveLength(1);
    expect(errors).toEqual([]);
  });

  test('[WIRE27] that is to ask for its usage is sent unpacked', async () => {
    const { ask } = client();
    await ask(new Uint8Array(zlib.gzipSync(JSON.stringify({ ...ASKED, stream: true }))), 'gzip');
    const [{ body, encoding } = { body: Buffer.of(), encoding: '' }] = got;
    expect(encoding).toBeUndefined();
    expect(JSON.parse(String(body))).toEqual({
      ...ASKED,
      stream: true,
      stream_options: { include_usage: true },
    });
  });

  test.each([
    ['in a form that is not known', Buffer.from(TEXT), 'compress', "'compress' is not known"],
    ['with the name of a method', Buffer.from(TEXT), 'constructor', 'is not known'],
    ['that is packed again and again', LAYERS, 'gzip, gzip, gzip', 'packed 3 times'],
    ['that breaks off', zlib.gzipSync(TEXT).subarray(0, 40), 'gzip', 'unexpected end'],
  ])(
    '[WIRE28] %s passes with failMode open, and is refused otherwise',
    async (_, packed, encoding, reason) => {
      const body = new Uint8Array(packed);
      const open = client();
      expect((await open.ask(body, encoding)).status).toBe(200);
      expect(got).toEqual([{ body: Buffer.from(packed), encoding }]);
      expect(open.errors).toEqual([expect.stringContaining(reason)]);
      const closed = client({ failMode: 'closed' });
      expect((await closed.ask(body, encoding)).status).toBe(402);
      expect(got).toHaveLength(1);
    },
  );
});

test('[WIRE40] a compressed body that holds too much is never sent', async () => {
  const { ask, errors } = client();
  const refused = await ask(new Uint8Array(BOMB), 'gzip');
  expect(refused.status).toBe(400);
  expect(await refused.text()).toContain('a body of more than 67108864 bytes (bounds.maxBytes)');
  expect([got, errors]).toEqual([[], []]);
});

describe('a body of more than 64 MB', () => {
  const piece = new Uint8Array(2 ** 20).fill(32);

  /** So many MB in pieces, each made when it is asked for. */
  function pieces(count: number, cancel = (): void => {}): ReadableStream<Uint8Array> {
    let made = 0;
    return new ReadableStream({
      cancel,
      pull(controller) {
        if (made === count) return controller.close();
        made++;
        controller.enqueue(piece);
      },
    });
  }

  test('[WIRE40] is refused, and read no further', async () => {
    const { errors, ask } = client();
    const cancel = vi.fn();
    const refused = await ask(pieces(70, cancel), 'identity');
    expect(refused.status).toBe(400);
    expect(cancel).toHaveBeenCalledOnce();
    expect([got, errors]).toEqual([[], []]);
  });

  test('[WIRE28] that is an answer arrives whole, and is billed as one that broke off', async () => {
    const breaker = new Breaker();
    const usages: object[] = [];
    breaker.on('signal', ({ signal }) => signal.kind === 'usage' && usages.push(signal));
    const guarded = guardFetch(breaker, { fetch: async () => new Response(pieces(70)) });
    const response = await guarded(url, { method: 'POST', body: TEXT });
    expect((await response.arrayBuffer()).byteLength).toBe(70 * 2 ** 20);
    expect(usages).toMatchObject([{ isPartial: true, isEstimate: true }]);
  });
});
