import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import { Breaker, type BreakerOptions, TrippedError } from '@teamfuse/core';
import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import { type GuardFetchOptions, guardFetch, tripOf } from '../src/index.ts';
import { answerOf, said } from './support/wiretap.ts';

const MESSAGES = [{ role: 'user' as const, content: 'Who speaks next?' }];
const CONTENTS = [{ role: 'user', parts: [{ text: 'Who speaks next?' }] }];
const ASKED = { model: 'gpt-4o-mini', messages: MESSAGES, input: 'Who?', contents: CONTENTS };
const CHAT = 'https://api.example/v1/chat/completions';

/** A guarded `fetch` before a model that answers everything, with a clock that stands still. */
function guarded(options: GuardFetchOptions = {}, given: BreakerOptions = {}) {
  const clock = { now: Date.UTC(2026, 10, 28, 23, 0) };
  const breaker = new Breaker({ ...given, now: () => clock.now });
  const fetcher = guardFetch(breaker, {
    conversation: 'chat',
    fetch: async () => Response.json(answerOf(said('Ann.'))),
    ...options,
  });
  const ask = (more: object = {}, url = CHAT): Promise<Response> =>
    fetcher(url, {
      method: 'POST',
      body: JSON.stringify({ ...ASKED, ...more }),
    });
  return { breaker, clock, fetcher, ask };
}

const schema = { type: 'json_schema', json_schema: { name: 'a', schema: {} } };
const tool = { type: 'function', function: { name: 'next' } };
const RESPONSES = 'https://api.example/v1/responses';
const ANTHROPIC = 'https://api.example/v1/messages';
const GEMINI = 'https://api.example/v1beta/models/gemini-2.5-flash:generateContent';
const json = { responseMimeType: 'application/json' };
const calls = (mode: string) => ({ toolConfig: { functionCallingConfig: { mode } } });

describe('a refusal that is to be an answer', () => {
  test.each([
    ['JSON', { response_format: { type: 'json_object' } }, CHAT],
    ['JSON of a schema', { response_format: schema }, CHAT],
    ['a streamed one', { response_format: schema, stream: true }, CHAT],
    ['any tool', { tool_choice: 'required' }, CHAT],
    ['one tool', { tool_choice: tool }, CHAT],
    ['one of some tools', { tool_choice: { type: 'allowed_tools', mode: 'required' } }, CHAT],
    ['a function', { function_call: { name: 'next' } }, CHAT],
    ['JSON of Responses', { text: { format: { type: 'json_schema' } } }, RESPONSES],
    ['any tool of Messages', { tool_choice: { type: 'any' } }, ANTHROPIC],
    ['JSON of Messages', { output_config: { format: { type: 'json_schema' } } }, ANTHROPIC],
    ['JSON of Gemini', { generationConfig: json }, GEMINI],
    ['any function of Gemini', calls('ANY'), GEMINI],
  ])('[WIRE47] is an error where the call asks for %s', async (_, more, url) => {
    const { ask, breaker } = guarded({ refusal: 'answer' });
    breaker.stop('enough');
    expect((await ask(more, url)).status).toBe(402);
  });

  test.each([
    ['nothing', {}, CHAT],
    ['text', { response_format: { type: 'text' } }, CHAT],
    ['what the model likes', { tool_choice: 'auto', function_call: null }, CHAT],
    ['no tool', { tool_choice: 'none' }, CHAT],
    ['some tools', { tool_choice: { type: 'allowed_tools', mode: 'auto' } }, CHAT],
    ['text of Responses', { text: { format: { type: 'text' } } }, RESPONSES],
    ['what the model of Messages likes', { tool_choice: { type: 'auto' } }, ANTHROPIC],
    ['text of Gemini', { generationConfig: { responseMimeType: 'text/plain' } }, GEMINI],
    ['what the model of Gemini likes', calls('AUTO'), GEMINI],
  ])('[WIRE47] is an answer where the call asks for %s', async (_, more, url) => {
    const { ask, breaker } = guarded({ refusal: 'answer' });
    breaker.stop('enough');
    const refused = await ask(more, url);
    expect([refused.status, (await refused.text()).includes('TERMINATE')]).toEqual([200, true]);
  });

  test('[WIRE48] becomes the error after ten answers to one conversation', async () => {
    const { ask, breaker, fetcher } = guarded({ refusal: 'answer' });
    breaker.stop('enough');
    const statuses: number[] = [];
    for (let i = 0; i < 12; i++) statuses.push((await ask()).status);
    expect(statuses).toEqual([...Array(10).fill(200), 402, 402]);
    const headers = { 'x-teamfuse-conversation': 'other' };
    const body = JSON.stringify({ model: 'gpt-4o-mini', messages: MESSAGES });
    expect((await fetcher(CHAT, { method: 'POST', body, headers })).status).toBe(200);
  });

  test('[WIRE48] is an answer again once calls were let through', async () => {
    const { ask, breaker } = guarded({ refusal: 'answer' });
    breaker.stop('enough');
    for (let i = 0; i < 11; i++) await ask();
    breaker.reset();
    await ask();
    breaker.stop('enough');
    expect((await ask()).status).toBe(200);
  });
});

describe('a refusal', () => {
  test.each<[string, BreakerOptions, string | null]>([
    ['budget', { budget: { maxTokens: 20 } }, null],
    ['budget', { budget: { maxTokens: 20, windowMs: 3_600_000 } }, '3600'],
    ['budget', { budget: { perDay: { maxTokens: 20 } } }, '3600'],
    ['budget', { budget: { perDay: { maxTokens: 20 }, timeZone: 'Asia/Tokyo' } }, '57600'],
    ['budget', { budget: { perMonth: { maxTokens: 20 } } }, String(49 * 3600)],
    ['limit', { maxModelCalls: 1 }, null],
  ])('[WIRE49] says its kind, and when it is over: %s %j', async (kind, given, retryAfter) => {
    const { ask } = guarded({}, given);
    expect((await ask({ max_tokens: 5 })).status).toBe(200);
    const refused = await ask({ max_tokens: 5 });
    expect(refused.status).toBe(402);
    expect(refused.headers.get('x-teamfuse-kind')).toBe(kind);
    expect(refused.headers.get('retry-after')).toBe(retryAfter);
  });

  test('[WIRE49] may soon be over where another call has the place, or is the probe', async () => {
    const never = { fetch: () => new Promise<Response>(() => {}) };
    const full = guarded(never, { throttle: { maxConcurrent: 1, maxWaiting: 0 } });
    const probed = guarded(never, { cooldownMs: 30_000 });
    const chat = probed.breaker.conversation('chat');
    for (let i = 0; i < 30 && chat.trip === undefined; i++) {
      chat.observe({ kind: 'message', agent: 'a', text: 'The same.' });
    }
    probed.clock.now += 31_000;
    for (const { ask } of [full, probed]) {
      ask().catch(() => {});
      await new Promise((resolve) => setImmediate(resolve));
      const { headers, status } = await ask();
      expect([status, headers.get('retry-after')]).toEqual([402, '1']);
    }
  });

  test('[WIRE49] may soon be over where the guard has failed', async () => {
    const failing = () => {
      throw new Error('no store');
    };
    const { ask } = guarded({ agent: failing, failMode: 'closed', onError: () => {} });
    const { headers, status } = await ask();
    expect([status, headers.get('retry-after')]).toEqual([402, '1']);
  });

  test.each([
    [2_399, 402],
    [2_400, 200],
  ])('[WIRE49] is over when it said: after %i seconds it is %i', async (seconds, status) => {
    const { ask, clock } = guarded({}, { budget: { maxTokens: 40, windowMs: 3_600_000 } });
    await ask({ max_tokens: 5 });
    clock.now += 600_000;
    await ask({ max_tokens: 5 });
    clock.now += 600_000;
    const refused = await ask({ max_tokens: 20 });
    expect(refused.headers.get('retry-after')).toBe('2400');
    clock.now += 1_000 * seconds;
    expect((await ask({ max_tokens: 20 })).status).toBe(status);
  });

  test('[WIRE49] says so in an answer, too, and for a loop its cool-down', async () => {
    const { ask, breaker } = guarded({ refusal: 'answer' }, { cooldownMs: 30_000 });
    breaker.conversation('chat').observe({ kind: 'message', agent: 'a', text: 'Once.' });
    for (let i = 0; i < 30 && breaker.stopped.length === 0; i++) {
      breaker.conversation('chat').observe({ kind: 'message', agent: 'a', text: 'The same.' });
    }
    const { headers, status } = await ask();
    expect([status, headers.get('x-teamfuse-kind')]).toEqual([200, 'repetition']);
    expect(headers.get('retry-after')).toBe('30');
  });
});

describe('tripOf()', () => {
  const stopped = () => {
    const one = guarded({}, { budget: { perDay: { maxTokens: 1 } } });
    const trip = {
      kind: 'budget',
      reason: expect.stringMatching(/^the (?:next call would exceed the )?budget.*[^.]$/s),
      retryInMs: 3_600_000,
    };
    return { ...one, trip };
  };
  const thrown = (asked: PromiseLike<unknown>): Promise<unknown> =>
    Promise.resolve(asked).then(
      () => undefined,
      (error: unknown) => error,
    );

  test('[WIRE50] reads the error of OpenAI, also as a cause', async () => {
    const { fetcher, trip } = stopped();
    const openai = new OpenAI({ apiKey: 'k', fetch: fetcher });
    const error = await thrown(
      openai.chat.completions.create({ model: 'gpt-4o-mini', messages: MESSAGES }),
    );
    expect(tripOf(error)).toEqual(trip);
    expect(tripOf(new Error('failed', { cause: error }))).toEqual(trip);
  });

  test('[WIRE50] reads the error of Anthropic', async () => {
    const { fetcher, trip } = stopped();
    const anthropic = new Anthropic({ apiKey: 'k', fetch: fetcher });
    const asked = { model: 'claude-3-5-haiku-latest', max_tokens: 9, messages: MESSAGES };
    expect(tripOf(await thrown(anthropic.messages.create(asked)))).toEqual(trip);
  });

  test('[WIRE50] reads the error of Google, whole and streamed', async () => {
    const { fetcher: fetch, trip } = stopped();
    const { models } = new GoogleGenAI({ apiKey: 'k', httpOptions: { fetch } });
    const asked = { model: 'gemini-2.5-flash', contents: 'Who speaks next?' };
    const errors = [
      await thrown(models.generateContent(asked)),
      await thrown(models.generateContentStream(asked)),
    ];
    expect(errors).toMatchObject([{ name: 'ApiError', status: 402 }, { status: 402 }]);
    expect(errors.map(tripOf)).toEqual([trip, trip]);
    expect(tripOf(new Error('failed', { cause: errors[0] }))).toEqual(trip);
  });

  test('[WIRE50] reads what the AI SDK keeps, also of several tries', async () => {
    const { ask, trip } = stopped();
    const refused = await ask();
    const { error } = (await refused.json()) as { error: Error };
    const responseHeaders = Object.fromEntries(refused.headers);
    const called = Object.assign(new Error(error.message), { responseHeaders });
    expect(tripOf(called)).toEqual(trip);
    expect(tripOf(Object.assign(new Error('twice'), { lastError: called }))).toEqual(trip);
  });

  test.each<[string, (fields: Record<string, string>) => unknown]>([
    ['another class', (fields) => ({ get: (name: string) => fields[name.toLowerCase()] ?? null })],
    ['a Map', (fields) => new Map(Object.entries(fields))],
    [
      'capitals',
      (fields) => ({ 'X-Teamfuse-Kind': fields['x-teamfuse-kind'], 'Retry-After': '3600' }),
    ],
    ['lists', (fields) => ({ ...fields, 'x-teamfuse-kind': [fields['x-teamfuse-kind']] })],
  ])('[WIRE50] reads headers of %s', async (_, headersOf) => {
    const { ask, trip } = stopped();
    const refused = await ask();
    const { error } = (await refused.json()) as { error: Error };
    const headers = headersOf(Object.fromEntries(refused.headers));
    expect(tripOf(Object.assign(new Error(error.message), { headers }))).toEqual(trip);
  });

  test('[WIRE50] reads an error of the breaker', () => {
    const trip = new Breaker().stop('enough');
    expect(tripOf(new TrippedError(trip))).toEqual({ kind: 'manual', reason: trip.reason });
  });

  test.each([
    [new Error('reset')],
    [new Error('{"error":{"code":402,"details":[{"domain":"teamfuse"}]}}')],
    [new Error('got {"teamfuse"')],
    [Object.assign(new Error('429'), { headers: new Headers({ 'retry-after': '1' }) })],
    [Object.assign(new Error('429'), { headers: { get: 'none' } })],
    [Object.assign(new Error('429'), { headers: { get: () => ({}) } })],
    ['text'],
    [null],
    [undefined],
  ])('[WIRE50] says nothing of %s', (error) => {
    expect(tripOf(error)).toBeUndefined();
  });

  test('[WIRE50] ends with an error that is its own cause', () => {
    const error = new Error('round');
    error.cause = error;
    expect(tripOf(error)).toBeUndefined();
  });
});
