import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Breaker, type BreakerOptions } from '@teamfuse/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { guardFetch } from '../src/index.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const WORDS = { choices: [{ index: 0, delta: { content: 'word '.repeat(100) } }] };
let open = 0;
/** Streams words until its client leaves. */
const endpoint: Server = createServer((request, response) => {
  open++;
  request.resume();
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const speaking = setInterval(() => response.write(`data: ${JSON.stringify(WORDS)}\n\n`), 5);
  response.on('close', () => {
    open--;
    clearInterval(speaking);
  });
});

beforeAll(async () => {
  await once(endpoint.listen(0, '127.0.0.1'), 'listening');
});
afterAll(() => {
  endpoint.closeAllConnections();
  endpoint.close();
});

const urlOf = (): string =>
  `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/v1/chat/completions`;
const bodyOf = (text: string): string =>
  JSON.stringify({
    model: 'gpt-4o',
    stream: true,
    max_tokens: 100,
    messages: [{ role: 'user', content: text }],
  });

type Ask = (init?: { signal?: AbortSignal }) => Promise<Response>;
type Way = (ask: Ask, fetcher: typeof fetch) => Promise<unknown>;

/** Waits until something has come, without reading it. */
const soon = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 40));
const readerOf = ({ body }: Response) => (body as ReadableStream<Uint8Array>).getReader();

const WAYS: Readonly<Record<string, Way>> = {
  'aborts while it reads': async (ask) => {
    const leaving = new AbortController();
    const reader = readerOf(await ask(leaving));
    await reader.read();
    leaving.abort();
    await reader.read().catch(() => {});
  },
  'cancels after a piece': async (ask) => {
    const reader = readerOf(await ask());
    await reader.read();
    await reader.cancel();
  },
  'cancels at once': async (ask) => (await ask()).body?.cancel(),
  'aborts without reading': async (ask) => {
    const leaving = new AbortController();
    const response = await ask(leaving);
    await soon();
    leaving.abort();
    return response;
  },
  'reads a piece, and aborts without asking for more': async (ask) => {
    const leaving = new AbortController();
    const reader = readerOf(await ask(leaving));
    await reader.read();
    await soon();
    leaving.abort();
    return reader;
  },
  'aborts before there is an answer': async (ask) => {
    const leaving = new AbortController();
    const asked = ask(leaving);
    leaving.abort();
    await asked.catch(() => {});
  },
  'runs into a time limit': async (ask) => {
    // As `AbortSignal.timeout` ends it; on a busy machine, a time that has begun may be over before there is an answer.
    const limit = new AbortController();
    const response = await ask(limit);
    await soon();
    limit.abort(new DOMException('The time is over', 'TimeoutError'));
    return response;
  },
  'aborts through a Request': async (_, fetcher) => {
    const leaving = new AbortController();
    const { signal } = leaving;
    const request = new Request(urlOf(), { method: 'POST', body: bodyOf('x'), signal });
    const response = await fetcher(request);
    await soon();
    leaving.abort();
    return response;
  },
};

function guarded(options: BreakerOptions = {}) {
  const breaker = new Breaker({ throttle: { maxConcurrent: 1, maxWaitMs: 5_000 }, ...options });
  const usages: object[] = [];
  breaker.on('signal', ({ signal }) => signal.kind === 'usage' && usages.push(signal));
  const fetcher = guardFetch(breaker);
  const ask =
    (text: string): Ask =>
    (init = {}) =>
      fetcher(urlOf(), { method: 'POST', body: bodyOf(text), signal: init.signal ?? null });
  return { breaker, usages, fetcher, ask };
}

describe('a caller of a stream', () => {
  test.each(Object.entries(WAYS))(
    '[WIRE46] who %s is booked, and gives its place to the next',
    async (_, leave) => {
      const { ask, fetcher, usages } = guarded();
      const kept = await leave(ask('x'), fetcher);
      await expect.poll(() => usages).toMatchObject([{ isEstimate: true }]);
      expect(usages[0]).not.toHaveProperty('error');
      const next = await ask('y')();
      expect(next.status).toBe(200);
      await next.body?.cancel();
      await expect.poll(() => open).toBe(0);
      expect(kept).not.toBe(null);
    },
  );

  test.each(Object.entries(WAYS))(
    '[WIRE46] who %s as the probe says nothing of the team',
    async (_, leave) => {
      const clock = { now: 0 };
      const { breaker, ask, fetcher } = guarded({ now: () => clock.now, scope: 'breaker' });
      const call = { kind: 'tool-call', at: 0, agent: 'a', tool: 'look', args: {} } as const;
      for (let i = 0; i < 3; i++) breaker.observe({ ...call, result: 'nothing' });
      clock.now = 60_000;
      const kept = await leave(ask('x'), fetcher);
      await expect
        .poll(() => breaker.conversation().state)
        .toMatchObject({ openings: 1, probeFrom: 120_000 });
      expect(kept).not.toBe(null);
    },
  );

  test('[WIRE46] who drops it is booked once nobody can read it any more', async () => {
    const { ask, usages } = guarded();
    const { signal } = new AbortController();
    await ask('x')({ signal });
    await expect
      .poll(
        () => {
          collect();
          return usages;
        },
        { timeout: 10_000 },
      )
      .toMatchObject([{ isPartial: true }]);
    const next = await ask('y')();
    expect(next.status).toBe(200);
    await next.body?.cancel();
    await expect.poll(() => open).toBe(0);
    expect(signal.aborted).toBe(false);
  });

  test('[WIRE46] who stays is left alone', async () => {
    const { ask, usages } = guarded();
    const leaving = new AbortController();
    const response = await ask('x')(leaving);
    const reader = readerOf(response);
    for (let i = 0; i < 5; i++) {
      expect((await reader.read()).done).toBe(false);
      collect();
    }
    expect(usages).toEqual([]);
    leaving.abort();
    await expect(reader.read()).rejects.toThrow('abort');
  });
});
