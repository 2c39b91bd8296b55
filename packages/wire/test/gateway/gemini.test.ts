import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { GoogleGenAI } from '@google/genai';
import { serve } from '@hono/node-server';
import { Breaker, type BreakerOptions } from '@teamfuse/core';
import { describe, expect, test } from 'vitest';
import { createGateway, type GatewayOptions } from '../../src/gateway/index.ts';
import { tripOf } from '../../src/index.ts';
import { type Got, ModelEndpoint, type Said } from '../support/model-endpoint.ts';

const MODEL = 'gemini-2.5-flash';
const PATH = `/v1beta/models/${MODEL}`;
const says = (role: string, text: string) => ({ role, parts: [{ text }] });
const POEM = { text: 'Roses are red.' };

/** A gateway before a real endpoint, which is asked through `ask`. */
async function gateway(
  breaker: Breaker,
  options: Partial<GatewayOptions> = {},
  script: (index: number, got: Got) => Said = () => POEM,
) {
  const endpoint = await ModelEndpoint.start(script);
  const made = createGateway({ upstream: endpoint.url, breaker, ...options });
  const ask = (path: string, headers: Record<string, string> = {}, more: object = {}) => {
    const body = JSON.stringify({ contents: [says('user', 'A poem.')], ...more });
    return made.fetch(new Request(`http://127.0.0.1${path}`, { method: 'POST', headers, body }));
  };
  return { endpoint, made, ask, [Symbol.asyncDispose]: () => endpoint[Symbol.asyncDispose]() };
}

describe('a key of Gemini in the query', () => {
  const named = { 'x-teamfuse-conversation': 'chat' };
  const sha256 = createHash('sha256').update('AIza-one').digest('hex');

  test('[GWY41] tells callers apart like the header for it, and goes on as it came', async () => {
    const signals: unknown[] = [];
    const breaker = new Breaker();
    breaker.on('signal', (signal) => signals.push(signal));
    await using way = await gateway(breaker);
    const said = async (query: string, headers = {}) => {
      const answer = await way.ask(`${PATH}:generateContent${query}`, { ...named, ...headers });
      return answer.headers.get('x-teamfuse-conversation');
    };
    const one = await said('?key=AIza-one');
    expect(await said('?%6bey=AIza-one')).toBe(one);
    expect(await said('', { 'x-goog-api-key': 'AIza-one' })).toBe(one);
    expect(await said('?key=AIza-one', { 'x-goog-api-key': 'AIza-one' })).toBe(one);
    expect(await said('?key=AIza-two')).not.toBe(one);
    expect(way.endpoint.got[0]?.path).toBe(`${PATH}:generateContent?key=AIza-one`);
    expect(JSON.stringify([signals, breaker.snapshot(), one])).not.toContain('AIza');
  });

  test('[GWY41] pays, under its name, and two in one request are an error', async () => {
    const breaker = new Breaker({ budget: { perKey: { maxTokens: 60 } } });
    const keys = [{ sha256, name: 'GEMINI_KEY' }];
    await using way = await gateway(breaker, { keys });
    const path = `${PATH}:streamGenerateContent?alt=sse&key=AIza-one`;
    const answers = [await way.ask(path), await way.ask(path)];
    for (const answer of answers) await answer.text();
    const refused = await way.ask(path);
    expect(refused.status).toBe(402);
    expect(await refused.json()).toMatchObject({
      error: { code: 402, message: expect.stringContaining("the budget of key 'GEMINI_KEY'") },
    });
    const twice = await way.ask(path, { 'x-goog-api-key': 'AIza-two' });
    expect(twice.status).toBe(400);
    expect(await twice.json()).toMatchObject({ error: { code: 'two_keys' } });
  });

  test('[GWY41] is none for other APIs', async () => {
    await using way = await gateway(new Breaker());
    const messages = [{ role: 'user', content: 'A poem.' }];
    const said = async (query: string) => {
      const answer = await way.ask(`/v1/chat/completions${query}`, named, { messages });
      return answer.headers.get('x-teamfuse-conversation');
    };
    expect(await said('?key=a')).toBe(await said('?key=b'));
  });
});

describe('a judge at a gateway of Gemini', () => {
  const STALE = ['look into it', 'look into it soon', 'soon look into it', 'look soon'];

  /** What the judge of a team that gets nowhere was asked. */
  async function asked(
    path: string,
    { options = {}, headers = {}, bodyOf = plain, ...more }: Partial<Asking> = {},
  ) {
    const isQuestion = (body: object): boolean =>
      JSON.stringify(body).includes('Does this team of AI agents go in circles');
    const script = (index: number, { body }: Got): Said => ({
      text: isQuestion(body)
        ? '{"probability":1,"reason":"stale"}'
        : `Sure, the report: I will ${STALE[index % STALE.length]}.`,
    });
    const silent: BreakerOptions = { repetition: false, speakerCycle: false, judge: true };
    const breaker = new Breaker({ ...silent, ...options });
    await using way = await gateway(breaker, more, script);
    const contents = [says('user', 'Read the report.')];
    let status = 200;
    for (let i = 0; i < 14 && status === 200; i++) {
      const response = await way.ask(path, headers, bodyOf(contents));
      status = response.status;
      await response.text();
      await Promise.all(breaker.internals.conversations.all.map((one) => one.answered()));
      contents.push(says('model', `Sure, the report: I will ${STALE[i % STALE.length]}.`));
      contents.push(says('user', 'Please go on.'));
    }
    const question = way.endpoint.got.find(({ body }) => isQuestion(body));
    return { question, status, basis: breaker.stopped.map(({ trip }) => trip?.basis) };
  }

  interface Asking {
    readonly options: BreakerOptions;
    readonly headers: Record<string, string>;
    readonly bodyOf: (contents: readonly object[]) => object;
    readonly judgeKey: string;
  }
  const plain = (contents: readonly object[]): object => ({ contents });

  test('[GWY12] is the model of the conversation, asked with the key of the query', async () => {
    const path = `${PATH}:streamGenerateContent?alt=sse&key=AIza-one`;
    const { question, status, basis } = await asked(path);
    expect([status, basis]).toEqual([402, ['judged']]);
    expect(question?.path).toBe(`${PATH}:generateContent?key=AIza-one`);
    expect(question?.body).toMatchObject({ contents: [{ role: 'user' }], systemInstruction: {} });
  });

  test.each([
    ['in the query', '?key=AIza-one', {}],
    ['in its header', '', { 'x-goog-api-key': 'AIza-one' }],
  ])(
    '[GWY12] may be another model, with another key where that of the caller stood: %s',
    async (_, query, headers) => {
      const options = { judge: 'gemini-2.5-pro' };
      const path = `${PATH}:generateContent${query}`;
      const { question } = await asked(path, { options, headers, judgeKey: 'AIza-judge' });
      expect(question?.path).toBe('/v1beta/models/gemini-2.5-pro:generateContent');
      expect(question?.headers['x-goog-api-key']).toBe('AIza-judge');
      expect(JSON.stringify(question)).not.toContain('AIza-one');
    },
  );

  test('[GWY12] is asked in the envelope of Code Assist, for its project', async () => {
    const bodyOf = (contents: readonly object[]): object => ({
      contents: undefined,
      model: MODEL,
      project: 'p1',
      request: { contents },
    });
    const headers = { authorization: 'Bearer ya29.a' };
    const path = '/v1internal:streamGenerateContent?alt=sse';
    const { question, status } = await asked(path, { bodyOf, headers });
    expect(status).toBe(402);
    expect(question?.path).toBe('/v1internal:generateContent');
    expect(question?.headers.authorization).toBe('Bearer ya29.a');
    expect(question?.body).toMatchObject({ model: MODEL, project: 'p1', request: {} });
  });
});

test('[GWY6] the SDK of Google gets a refusal of a gateway as its own error', async () => {
  const breaker = new Breaker();
  await using way = await gateway(breaker);
  const server = serve({ fetch: way.made.fetch, port: 0, hostname: '127.0.0.1' }) as Server;
  await once(server, 'listening');
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const headers = { 'x-teamfuse-conversation': 'chat' };
  const { models } = new GoogleGenAI({ apiKey: 'k', httpOptions: { baseUrl, headers } });
  const asked = { model: MODEL, contents: 'A poem.' };
  expect((await models.generateContent(asked)).text).toBe(POEM.text);
  breaker.stop('enough');
  const errors = await Promise.all(
    [models.generateContent(asked), models.generateContentStream(asked)].map((sent) =>
      sent.then(
        () => undefined,
        (error: unknown) => error,
      ),
    ),
  );
  expect(errors).toMatchObject([{ name: 'ApiError', status: 402 }, { status: 402 }]);
  expect(errors.map(tripOf)).toEqual(Array(2).fill({ kind: 'manual', reason: 'enough' }));
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
