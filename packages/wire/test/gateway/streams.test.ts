import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { type ServerType, serve } from '@hono/node-server';
import { Breaker, type Signal } from '@teamfuse/core';
import { afterEach, describe, expect, test } from 'vitest';
import { createGateway } from '../../src/gateway/index.ts';

const MAX_HELD = 20_000_000;

function chunk(content: string): Uint8Array {
  const event = { choices: [{ index: 0, delta: { content } }] };
  return new TextEncoder().encode(`data: ${JSON.stringify(event)}\n\n`);
}

describe('a stream through a gateway', () => {
  let server: ServerType | undefined;
  const usages: Signal[] = [];

  afterEach(async () => {
    usages.length = 0;
    if (server && 'closeAllConnections' in server) server.closeAllConnections();
    await new Promise((resolve) => server?.close(resolve));
  });

  /** The answer of a gateway on a real server, whose upstream answers with this stream. */
  async function ask(body: ReadableStream<Uint8Array>): Promise<IncomingMessage> {
    const breaker = new Breaker();
    breaker.on('signal', ({ signal }) => signal.kind === 'usage' && usages.push(signal));
    const headers = { 'content-type': 'text/event-stream' };
    const upstream = async (): Promise<Response> => new Response(body, { headers });
    const gateway = createGateway({ upstream: 'https://api.example', breaker, fetch: upstream });
    server = serve({ fetch: gateway.fetch, port: 0, hostname: '127.0.0.1' });
    await once(server, 'listening');
    const { port } = Object(server.address());
    const path = '/v1/chat/completions';
    const sent = request({ host: '127.0.0.1', port, path, method: 'POST' });
    const messages = [{ role: 'user', content: 'Write a poem.' }];
    sent.end(JSON.stringify({ model: 'gpt-4o-mini', messages, stream: true }));
    const [response] = await once(sent, 'response');
    return response;
  }

  test('[GWY8] arrives as it comes', async () => {
    let go = (): void => {};
    const more = new Promise<void>((resolve) => {
      go = resolve;
    });
    const response = await ask(
      new ReadableStream<Uint8Array>({
        async start(controller) {
          controller.enqueue(chunk('Roses'));
          await more;
          controller.enqueue(chunk(' are red.'));
          controller.close();
        },
      }),
    );
    const [first] = await once(response, 'data');
    expect(String(first)).toContain('Roses');
    go();
    const [second] = await once(response, 'data');
    expect(String(second)).toContain('are red');
  });

  test('[GWY8] that the upstream cuts off arrives as far as it came, broken off', async () => {
    let cut = (): void => {};
    const response = await ask(
      new ReadableStream<Uint8Array>({
        start(controller) {
          controller.enqueue(chunk('Roses are red, violets are blue.'));
          cut = () => controller.error(new Error('socket hang up'));
        },
      }),
    );
    const [first] = await once(response, 'data');
    expect(String(first)).toContain('violets are blue.');
    cut();
    const [error] = await once(response, 'error');
    expect(error).toHaveProperty('code', 'ECONNRESET');
    expect(usages).toMatchObject([{ isPartial: true, isEstimate: true, outputTokens: 8 }]);
  });

  test('[GWY9] waits for a caller that reads slowly, and ends when it leaves', async () => {
    const piece = chunk('Roses are red. '.repeat(4000));
    let [sent, before, isLeft] = [0, -1, false];
    const response = await ask(
      new ReadableStream<Uint8Array>({
        async pull(controller) {
          await new Promise((resolve) => setImmediate(resolve));
          sent += piece.length;
          controller.enqueue(piece);
        },
        cancel() {
          isLeft = true;
        },
      }),
    );
    const rests = (): boolean => {
      const isSame = sent === before;
      before = sent;
      return isSame;
    };
    await expect.poll(rests, { timeout: 10_000 }).toBe(true);
    expect(sent).toBeLessThan(MAX_HELD);
    response.destroy();
    await expect.poll(() => isLeft).toBe(true);
    expect(usages).toMatchObject([{ isPartial: true }]);
  });
});
