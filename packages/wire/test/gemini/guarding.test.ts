import { GoogleGenAI } from '@google/genai';
import { Breaker, type BreakerOptions } from '@teamfuse/core';
import { internalsOf } from '@teamfuse/core/kit';
import { describe, expect, test } from 'vitest';
import { type GuardFetchOptions, guardFetch } from '../../src/index.ts';
import { ModelEndpoint } from '../support/model-endpoint.ts';

const MODEL = 'gemini-2.5-flash';
const WHOLE = `/v1beta/models/${MODEL}:generateContent`;
const TASK = { role: 'user', parts: [{ text: 'When is high water?' }] };
const SEARCH = { name: 'search', args: { q: 'tides' } };
const LADDER = { reaction: 'ladder' } as const;

/** The bodies of each API, by the history that they hold. */
const APIS = [
  ['Gemini', WHOLE, (contents: readonly object[], more: object = {}) => ({ contents, ...more })],
  [
    'Code Assist',
    '/v1internal:generateContent',
    (contents: readonly object[], more: object = {}) => ({
      model: MODEL,
      project: 'p',
      request: { contents, ...more },
    }),
  ],
] as const;

/** A guard before a real endpoint whose model searches for ever. */
async function guarded(breaker: BreakerOptions = {}, options: GuardFetchOptions = {}) {
  const endpoint = await ModelEndpoint.start((index) => ({
    calls: [{ id: `c${index}`, tool: 'search', args: SEARCH.args }],
  }));
  const fetch = guardFetch(new Breaker(breaker), options);
  const ask = (path: string, body: object, headers = {}) =>
    fetch(endpoint.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  return { endpoint, ask, [Symbol.asyncDispose]: () => endpoint[Symbol.asyncDispose]() };
}

/** The lap of a loop, with thoughts that are sealed anew each time. */
function lap(at: number): object[] {
  return [
    { role: 'model', parts: [{ functionCall: SEARCH, thoughtSignature: `seal ${at}` }] },
    {
      role: 'user',
      parts: [{ functionResponse: { name: 'search', response: { output: 'none' } } }],
    },
  ];
}

describe.each(APIS)('a model in a loop, over %s', (_, path, bodyOf) => {
  /** The histories that reached the endpoint, and the statuses of all requests. */
  async function loop(laps: number, options: GuardFetchOptions = {}) {
    await using way = await guarded(LADDER, options);
    const history: object[] = [TASK];
    const statuses: number[] = [];
    for (let at = 1; at <= laps; at++) {
      statuses.push((await way.ask(path, bodyOf(history))).status);
      history.push(...lap(at));
    }
    const sent = way.endpoint.got.map(({ body }) => (body.request ?? body).contents);
    return { statuses, sent };
  }

  test('[WIRE64] is told of it once, after the result, before it is stopped', async () => {
    const { statuses, sent } = await loop(7);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 402, 402]);
    expect(sent.map((contents) => contents.length)).toEqual([1, 3, 6, 7, 9]);
    const [result, notice] = sent[2].slice(-2);
    expect(result.parts[0]).toHaveProperty('functionResponse');
    expect(notice).toMatchObject({ role: 'user' });
    expect(notice.parts[0].text).toContain("teamfuse: Notice: 'search' was called twice");
  });

  test('[WIRE81] is asked without the laps that repeat it, whatever seals its thoughts', async () => {
    const { sent } = await loop(4, { cutLaps: true });
    expect(sent.map((contents) => contents.length)).toEqual([1, 3, 4, 3]);
  });
});

test('[WIRE64] a model of Gemini whose answer is to be continued is told afterwards', async () => {
  await using way = await guarded(LADDER);
  const history: object[] = [TASK, ...lap(1), ...lap(2)];
  const begun = { role: 'model', parts: [{ text: 'High water is at' }] };
  await way.ask(WHOLE, { contents: [TASK] });
  await way.ask(WHOLE, { contents: [TASK, ...lap(1)] });
  await way.ask(WHOLE, { contents: [...history, begun] });
  await way.ask(WHOLE, { contents: history });
  const told = way.endpoint.got.map(({ body }) => JSON.stringify(body).includes('teamfuse:'));
  expect(told).toEqual([false, false, false, true]);
});

describe.each(APIS)('a caller of %s that asks on after a refusal', (_, path, bodyOf) => {
  const tools = [{ functionDeclarations: [{ name: 'search' }] }];

  async function stopped() {
    const way = await guarded({ wrapUp: { maxTokens: 50 } });
    const history: object[] = [TASK];
    for (let at = 1; at < 9; at++) {
      if ((await way.ask(path, bodyOf(history))).status === 402) break;
      history.push(...lap(at));
    }
    const sum = [...history, { role: 'user', parts: [{ text: 'Sum it up.' }] }];
    return { ...way, last: (more: object = {}) => way.ask(path, bodyOf(sum, more)) };
  }

  test('[WIRE65] gets one answer without functions, bounded and marked, and no more', async () => {
    await using way = await stopped();
    const cached = { cachedContent: 'cachedContents/x' };
    for (const more of [{ tools }, cached, { generationConfig: { candidateCount: 2 } }]) {
      expect((await way.last(more)).status).toBe(402);
    }
    const generationConfig = { maxOutputTokens: 900, temperature: 0.5 };
    const toolConfig = { functionCallingConfig: { mode: 'NONE' } };
    const answers = [await way.last({ tools, toolConfig, generationConfig }), await way.last()];
    expect(answers.map(({ status }) => status)).toEqual([200, 402]);
    expect(answers[0]?.headers.get('x-teamfuse-last-answer')).toBe('true');
    const { body } = way.endpoint.got.at(-1) ?? { body: {} };
    expect((body.request ?? body).generationConfig).toEqual({
      maxOutputTokens: 50,
      temperature: 0.5,
    });
  });

  test.each([
    [{}, 'generationConfig'],
    [{ generationConfig: {} }, 'generationConfig'],
    [{ generationConfig: null }, 'generationConfig'],
    [{ generation_config: { max_output_tokens: 900 } }, 'generation_config'],
  ])('[WIRE65] is bounded wherever the bound stands: %j', async (more, field) => {
    await using way = await stopped();
    expect((await way.last(more)).status).toBe(200);
    const { body } = way.endpoint.got.at(-1) ?? { body: {} };
    expect(Object.values((body.request ?? body)[field])).toEqual([50]);
  });
});

describe('a refusal of Gemini', () => {
  test('[WIRE93] is an error as Google has it, with its kind and time in its details', async () => {
    const breaker = { budget: { perDay: { maxTokens: 1 } }, now: () => Date.UTC(2026, 10, 28, 23) };
    await using way = await guarded(breaker);
    const refused = await way.ask(WHOLE, { contents: [TASK] });
    expect([refused.status, refused.headers.get('x-teamfuse-kind')]).toEqual([402, 'budget']);
    expect(await refused.json()).toEqual({
      error: {
        code: 402,
        message: expect.stringMatching(/^The call was refused: .*budget.*\.$/s),
        status: 'FAILED_PRECONDITION',
        details: [
          {
            '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
            reason: 'TRIPPED',
            domain: 'teamfuse',
            metadata: { kind: 'budget', retryAfter: '3600' },
          },
        ],
      },
    });
  });

  test('[WIRE93] of a mistake says INVALID_ARGUMENT', async () => {
    await using way = await guarded({}, { bounds: { maxMessages: 1 } });
    const refused = await way.ask(WHOLE, { contents: [TASK, ...lap(1)] });
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({
      error: { code: 400, status: 'INVALID_ARGUMENT', details: [{ reason: 'INVALID_REQUEST' }] },
    });
  });

  test.each([
    ['', 'application/json'],
    ['?alt=sse', 'text/event-stream; charset=utf-8'],
  ])('[WIRE93] that is an answer has the form that was asked for: %j', async (query, type) => {
    await using way = await guarded({ budget: { maxTokens: 1 } }, { refusal: 'answer' });
    const path = WHOLE.replace(':generate', ':streamGenerate') + query;
    const answer = await way.ask(path, { contents: [TASK] });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, type]);
    const text = await answer.text();
    const [chunk] = query === '' ? JSON.parse(text) : [JSON.parse(text.replace('data: ', ''))];
    expect(chunk).toMatchObject({
      candidates: [{ content: { role: 'model' }, finishReason: 'STOP' }],
      modelVersion: MODEL,
    });
    expect(chunk.candidates[0].content.parts[0].text).toMatch(/^Stopped: .+\n\nTERMINATE$/s);
  });
});

describe('a client of Gemini', () => {
  const asked = { model: MODEL, contents: 'Write a poem.' };

  test('[WIRE13] tries again as it does without a guard, and not what was refused', async () => {
    await using endpoint = await ModelEndpoint.start((index) =>
      index === 0 ? { status: 503 } : { text: 'Roses are red.' },
    );
    const breaker = new Breaker();
    const retryOptions = { attempts: 3, initialDelay: 0.001 };
    const fetch = guardFetch(breaker, { conversation: 'poem' });
    const httpOptions = { baseUrl: endpoint.url, fetch, retryOptions };
    const { models } = new GoogleGenAI({ apiKey: 'k', httpOptions });
    expect((await models.generateContent(asked)).text).toBe('Roses are red.');
    expect(endpoint.got).toHaveLength(2);
    breaker.stop('enough');
    await expect(models.generateContent(asked)).rejects.toMatchObject({
      name: 'ApiError',
      status: 402,
      message: expect.stringContaining('The call was refused: enough'),
    });
    expect(endpoint.got).toHaveLength(2);
  });

  test('[WIRE14] that stops reading ends the call at its endpoint', async () => {
    await using endpoint = await ModelEndpoint.start(() => ({
      text: 'One line of a poem, and a second one.',
      stopsAfter: 4,
    }));
    const breaker = new Breaker();
    const usages: object[] = [];
    breaker.on('signal', ({ signal }) => signal.kind === 'usage' && usages.push(signal));
    const leaving = new AbortController();
    const httpOptions = { baseUrl: endpoint.url, fetch: guardFetch(breaker) };
    const { models } = new GoogleGenAI({ apiKey: 'k', httpOptions });
    const config = { abortSignal: leaving.signal };
    const reading = (async () => {
      for await (const { text } of await models.generateContentStream({ ...asked, config })) {
        if (text) leaving.abort();
      }
    })();
    await expect(reading).rejects.toThrow();
    await expect.poll(() => endpoint.left).toBe(1);
    await expect.poll(() => usages).toMatchObject([{ isPartial: true }]);
    expect(usages[0]).not.toHaveProperty('error');
  });

  test('[WIRE16] counts tokens and embeds untouched, even while everything is stopped', async () => {
    await using endpoint = await ModelEndpoint.start(() => ({ text: 'x' }));
    const breaker = new Breaker();
    breaker.stop('enough');
    const httpOptions = { baseUrl: endpoint.url, fetch: guardFetch(breaker) };
    const { models } = new GoogleGenAI({ apiKey: 'k', httpOptions });
    await models.countTokens(asked);
    await models.embedContent({ model: 'gemini-embedding-001', contents: 'x' });
    expect(endpoint.got).toHaveLength(2);
  });
});

describe('what is reserved for a call of Gemini', () => {
  /** In dollars; with a usage, once the same call was answered with it. */
  async function reservedFor(asked: object, usageMetadata?: object): Promise<number> {
    const breaker = new Breaker({ budget: { maxUsd: 1_000 } });
    let reserved = 0;
    const fetch = guardFetch(breaker, {
      fetch: async () => {
        reserved = internalsOf(breaker).reserved().nanoUsd / 1e9;
        const candidates = [{ content: { role: 'model', parts: [] }, finishReason: 'STOP' }];
        return Response.json({ candidates, usageMetadata });
      },
    });
    const body = JSON.stringify({ contents: [TASK], ...asked });
    for (let call = 0; call < (usageMetadata ? 2 : 1); call++) {
      await (await fetch(`https://g.example${WHOLE}`, { method: 'POST', body })).text();
    }
    return reserved;
  }

  test('[WIRE62] counts all candidates, tools, pictures and documents', async () => {
    const config = (more: object) => ({ generationConfig: { maxOutputTokens: 100_000, ...more } });
    // 2.50 dollars a million.
    expect(await reservedFor(config({}))).toBeCloseTo(0.25, 3);
    expect(await reservedFor(config({ candidateCount: 4 }))).toBeCloseTo(1, 3);
    const few = { generationConfig: { maxOutputTokens: 1 } };
    const description = 'word '.repeat(320_000);
    const tools = [{ functionDeclarations: [{ name: 'read', description }] }];
    // 400,000 tokens at 0.30 dollars a million.
    expect(await reservedFor({ ...few, tools })).toBeCloseTo(0.12, 2);
    const picture = { inlineData: { mimeType: 'image/png', data: 'AAAA' } };
    const shown = [{ role: 'user', parts: Array.from({ length: 200 }, () => picture) }];
    expect(await reservedFor({ ...few, contents: shown })).toBeGreaterThan(0.09);
    const paper = { inline_data: { mime_type: 'application/pdf', data: 'A'.repeat(6_400_000) } };
    const read = [{ role: 'user', parts: [paper] }];
    expect(await reservedFor({ ...few, contents: read })).toBeGreaterThan(0.11);
  });

  test('[WIRE62] counts a prompt that the server keeps in a cache, as a long one until it is known', async () => {
    const asked = { cachedContent: 'cachedContents/x', generationConfig: { maxOutputTokens: 1 } };
    // 16,384 tokens at 0.30 dollars a million.
    expect(await reservedFor(asked)).toBeCloseTo(0.0049, 4);
    const usage = {
      promptTokenCount: 400_010,
      cachedContentTokenCount: 400_000,
      candidatesTokenCount: 1,
    };
    expect(await reservedFor(asked, usage)).toBeGreaterThan(0.0119);
    const small = { ...usage, promptTokenCount: 1_010, cachedContentTokenCount: 1_000 };
    expect(await reservedFor(asked, small)).toBeLessThan(0.0004);
  });
});

describe('a session of the Gemini CLI', () => {
  const ask = (way: Awaited<ReturnType<typeof guarded>>, session: string, text: string) => {
    const contents = [{ role: 'user', parts: [{ text }] }];
    return way.ask('/v1internal:generateContent', {
      model: MODEL,
      request: { contents, session_id: session },
    });
  };

  test('[WIRE73] is a conversation, over new starts', async () => {
    await using way = await guarded({ maxModelCalls: 2 });
    const asked = [
      ['one', 'Read the file.'],
      ['one', 'Read another one.'],
      ['one', 'Read a third one.'],
      ['two', 'Read a third one.'],
    ] as const;
    const statuses: number[] = [];
    for (const [session, text] of asked) statuses.push((await ask(way, session, text)).status);
    expect(statuses).toEqual([200, 200, 402, 200]);
  });
});
