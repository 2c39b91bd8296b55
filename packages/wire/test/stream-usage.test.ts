import { gzipSync } from 'node:zlib';
import { Breaker } from '@teamfuse/core';
import { describe, expect, test } from 'vitest';
import { guardFetch } from '../src/index.ts';
import { ModelEndpoint, type Said } from './support/model-endpoint.ts';

const POEM = { text: 'Roses are red, violets are blue.' };
const asked = {
  model: 'gpt-4o-mini',
  messages: [{ role: 'user', content: 'Write.' }],
  stream: true,
};

async function stream(endpoint: ModelEndpoint, body: object, streamUsage = true) {
  const breaker = new Breaker();
  const fetch = guardFetch(breaker, { streamUsage });
  const url = `${endpoint.url}/v1/chat/completions`;
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) });
  const text = await response.text();
  return { breaker, text, sent: endpoint.got[0]?.body };
}

describe('the usage of a stream', () => {
  test('[WIRE20] is asked for, and kept from a caller who did not ask', async () => {
    await using endpoint = await ModelEndpoint.start(() => POEM);
    const { breaker, text, sent } = await stream(endpoint, asked);
    expect(sent).toEqual({ ...asked, stream_options: { include_usage: true } });
    expect(text).not.toContain('usage');
    expect(text.match(/^data: /gm)?.length).toBeGreaterThan(4);
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
    expect(breaker.cost.tokens).toBe(endpoint.served.input + endpoint.served.output);
    expect(breaker.cost.isEstimate).toBe(false);
  });

  test('[WIRE20] passes to a caller who asked for it', async () => {
    await using endpoint = await ModelEndpoint.start(() => POEM);
    const own = { ...asked, stream_options: { include_usage: true, include_obfuscation: false } };
    const { breaker, text, sent } = await stream(endpoint, own);
    expect(sent).toEqual(own);
    expect(text).toContain('"usage"');
    expect(breaker.cost.tokens).toBe(endpoint.served.input + endpoint.served.output);
  });

  test('[WIRE20] keeps the other options of the stream', async () => {
    await using endpoint = await ModelEndpoint.start(() => POEM);
    const own = { ...asked, stream_options: { include_obfuscation: false } };
    const { sent } = await stream(endpoint, own);
    expect(sent.stream_options).toEqual({ include_obfuscation: false, include_usage: true });
  });

  test.each([
    ['{"stream_options":{"x":1},"seed":9007199254740993', ',"messages"'],
    [
      '{ "a":"\\"stream_options\\":{", "seed" : 9007199254740993 , "stream\\u005foptions" : null',
      ' , "messages"',
    ],
    ['{"n":{"stream_options":1},"seed":9007199254740993', ',"messages"'],
  ])('[WIRE20] is asked for in a text that is otherwise as it came: %s', async (head, rest) => {
    const text = `${head}${rest}:[{"role":"user","content":"x"}],"stream":true}`;
    const sent: string[] = [];
    const fetch = guardFetch(new Breaker(), {
      fetch: async (_, init) => {
        sent.push(String(init?.body));
        return new Response('');
      },
    });
    await fetch('https://api.example/v1/chat/completions', { method: 'POST', body: text });
    expect(sent[0]).toContain('9007199254740993');
    const { stream_options, ...others } = JSON.parse(sent[0] ?? '');
    const { stream_options: own, ...asIs } = JSON.parse(text);
    expect(stream_options).toEqual({ ...own, include_usage: true });
    expect(others).toEqual(asIs);
    expect(sent[0]?.match(/stream(_|\\u005f)options" ?:/g)).toHaveLength(
      text.includes('"n":') ? 2 : 1,
    );
  });

  test('[WIRE20] is not asked for without streamUsage, and estimated then', async () => {
    await using endpoint = await ModelEndpoint.start(() => POEM);
    const { breaker, sent } = await stream(endpoint, asked, false);
    expect(sent).toEqual(asked);
    expect(breaker.cost.isEstimate).toBe(true);
    expect(breaker.cost.tokens).toBeGreaterThan(0);
  });
});

describe('a server that does not know the question for the usage', () => {
  const UNKNOWN = '{"detail":[{"type":"extra_forbidden","loc":["body","stream_options"]}]}';
  const refuses = (status: number, problem = UNKNOWN) => {
    return (_: number, { body }: { readonly body: { model: string; stream_options?: object } }) =>
      body.stream_options !== undefined && body.model === 'strict' ? { status, problem } : POEM;
  };

  /** Streams of one guard, one after the other: their statuses, and whether each that was sent asked. */
  async function streams(endpoint: ModelEndpoint, models: readonly string[]) {
    const breaker = new Breaker();
    const usages: object[] = [];
    breaker.on('signal', ({ signal }) => signal.kind === 'usage' && usages.push(signal));
    const fetch = guardFetch(breaker);
    const statuses: number[] = [];
    for (const [i, model] of models.entries()) {
      const messages = [{ role: 'user', content: `Write poem ${i}.` }];
      const body = new Uint8Array(gzipSync(JSON.stringify({ ...asked, model, messages })));
      const headers = { 'content-encoding': 'gzip' };
      const url = `${endpoint.url}/v1/chat/completions`;
      const response = await fetch(url, { method: 'POST', body, headers });
      statuses.push(response.status);
      await response.text();
    }
    const questions = endpoint.got.map(({ body }) => 'stream_options' in body);
    return { statuses, questions, usages };
  }

  test.each([400, 422])(
    '[WIRE45] gets a call that it refuses with %i once more as it came, and is asked no more',
    async (status) => {
      await using endpoint = await ModelEndpoint.start(refuses(status));
      const { statuses, questions, usages } = await streams(endpoint, ['strict', 'strict']);
      expect(statuses).toEqual([200, 200]);
      expect(questions).toEqual([true, false, false]);
      expect(usages).toMatchObject([{ isEstimate: true }, { isEstimate: true }]);
    },
  );

  test('[WIRE45] is asked for other models', async () => {
    await using endpoint = await ModelEndpoint.start(refuses(400));
    const { questions } = await streams(endpoint, ['strict', 'other', 'strict', 'other']);
    expect(questions).toEqual([true, false, true, false, true]);
  });

  test('[WIRE45] that says nothing at all gets it once more, too', async () => {
    await using endpoint = await ModelEndpoint.start(refuses(400, ''));
    const { statuses, questions } = await streams(endpoint, ['strict', 'strict']);
    expect([statuses, questions]).toEqual([
      [200, 200],
      [true, false, false],
    ]);
  });

  test('[WIRE45] refuses a call for another reason: then it is asked again with the next one', async () => {
    const script = (index: number): Said => (index < 2 ? { status: 400 } : POEM);
    await using endpoint = await ModelEndpoint.start(script);
    const { statuses, questions } = await streams(endpoint, ['strict', 'strict']);
    expect(statuses).toEqual([400, 200]);
    expect(questions).toEqual([true, false, true]);
  });

  test('[WIRE45] is none if it has taken the question before', async () => {
    const script = (index: number): Said => (index > 0 ? { status: 422, problem: UNKNOWN } : POEM);
    await using endpoint = await ModelEndpoint.start(script);
    const { statuses, questions } = await streams(endpoint, ['strict', 'strict']);
    expect(statuses).toEqual([200, 422]);
    expect(questions).toEqual([true, true]);
  });

  test.each([UNKNOWN, 'x'.repeat(100_000)])(
    '[WIRE45] is told on as it came where it gets no second call: %#',
    async (problem) => {
      let isFirst = true;
      const fetch = guardFetch(new Breaker(), {
        fetch: async () => {
          const response = isFirst ? new Response('') : new Response(problem, { status: 400 });
          isFirst = false;
          return response;
        },
      });
      const init = { method: 'POST', body: JSON.stringify(asked) };
      const url = 'https://api.example/v1/chat/completions';
      await (await fetch(url, init)).text();
      const refused = await fetch(url, init);
      expect([refused.status, await refused.text()]).toEqual([400, problem]);
    },
  );

  test('[WIRE45] gives its stream whole, also with a usage that nobody asked for', async () => {
    const events = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: 'Roses.' } }] })}\n\ndata: ${JSON.stringify({ choices: [], usage: { prompt_tokens: 3, completion_tokens: 4 } })}\n\ndata: [DONE]\n\n`;
    const breaker = new Breaker();
    const fetch = guardFetch(breaker, {
      fetch: async (_, init) =>
        String(init?.body).includes('stream_options')
          ? new Response(UNKNOWN, { status: 400 })
          : new Response(events, { headers: { 'content-type': 'text/event-stream' } }),
    });
    const response = await fetch('https://api.example/v1/chat/completions', {
      method: 'POST',
      body: JSON.stringify(asked),
    });
    expect(await response.text()).toBe(events);
    expect(breaker.cost.tokens).toBe(7);
  });

  test('[WIRE45] with another error gets no second call', async () => {
    await using endpoint = await ModelEndpoint.start(() => ({ status: 500 }));
    const { statuses, questions } = await streams(endpoint, ['strict']);
    expect([statuses, questions]).toEqual([[500], [true]]);
  });
});
