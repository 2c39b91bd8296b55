import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { RequestBounds } from '../src/index.ts';
import { answerOf, said, user, Wiretap } from './support/wiretap.ts';

const CHAT = 'https://api.example/v1/chat/completions';
const MESSAGES = 'https://api.example/v1/messages';
const HI = '{"role":"user","content":"hi"}';
const empties = (count: number): string => Array.from({ length: count }, () => '{}').join();
const chat = (messages: string): string => `{"model":"gpt-4o","messages":[${messages}]}`;
/** A body with this text as the arguments of a call that was made. */
const withArguments = (text: string): string => {
  const call = { id: 'c1', type: 'function', function: { name: 'search', arguments: text } };
  const answer = JSON.stringify({ role: 'assistant', content: null, tool_calls: [call] });
  const result = JSON.stringify({ role: 'tool', tool_call_id: 'c1', content: text });
  return chat([HI, answer, result].join());
};

function guarded(bounds: RequestBounds = {}) {
  const errors: unknown[] = [];
  const wiretap = new Wiretap({ bounds, onError: (error) => errors.push(error) });
  wiretap.next = () => Response.json(answerOf(said('Hello.')));
  const ask = (body: string | Uint8Array<ArrayBuffer>, headers = {}, url = CHAT) =>
    wiretap.fetch(url, { method: 'POST', body, headers });
  return { wiretap, errors, ask };
}

describe('a request that holds more than it may', () => {
  test.each<[string, RequestBounds, string, string]>([
    ['bytes', { maxBytes: 60 }, chat(`{"content":"${'a'.repeat(60)}"}`), 'more than 60 bytes'],
    ['messages', { maxMessages: 3 }, chat(empties(4)), '4 messages, more than 3'],
    ['parts', { maxParts: 20 }, chat(`{"content":[${empties(20)}]}`), 'more than 20 parts'],
    ['parts', { maxParts: 20 }, chat(`{"tool_calls":[${empties(20)}]}`), 'more than 20 parts'],
    ['depth', { maxDepth: 9 }, chat('['.repeat(9) + ']'.repeat(9)), 'nested deeper than 9'],
    ['depth', {}, chat(`{"content":${'{"a":'.repeat(9_000)}1${'}'.repeat(9_000)}}`), 'than 200'],
    ['messages', {}, chat(empties(50_001)), '50001 messages, more than 50000'],
    ['messages', { maxMessages: 1 }, '{"contents":[{},{}]}', '2 messages, more than 1'],
    ['messages', { maxMessages: 1 }, '{"request":{"contents":[{},{}]}}', '2 messages, more than 1'],
  ])('[WIRE40] is a mistake that names the bound: %s', async (_, bounds, body, sentence) => {
    const { ask, errors, wiretap } = guarded(bounds);
    const refused = await ask(body);
    expect(refused.status).toBe(400);
    const { error } = (await refused.json()) as { error: { message: string; type: string } };
    expect(error).toMatchObject({ type: 'invalid_request_error', code: 'INVALID_REQUEST' });
    expect(error.message).toContain(sentence);
    expect(error.message).toMatch(/\(bounds\.max(?:Bytes|Messages|Parts|Depth)\)\.$/);
    expect([wiretap.sent, wiretap.told, errors]).toEqual([[], [], []]);
  });

  test.each<[string, RequestBounds, string]>([
    ['bytes', { maxBytes: 60 }, chat('{}').padEnd(60)],
    ['messages', { maxMessages: 3 }, chat(empties(3))],
    ['parts', { maxParts: 20 }, chat(`{"content":[${empties(8)}]}`)],
    ['depth', { maxDepth: 9 }, chat('['.repeat(7) + ']'.repeat(7))],
    ['signs in a text', { maxParts: 9, maxDepth: 3 }, chat(`{"content":"\\"[[[{,,,,\\\\"}`)],
  ])('[WIRE40] passes with exactly as much: %s', async (_, bounds, body) => {
    const { ask, wiretap } = guarded(bounds);
    expect((await ask(body)).status).toBe(200);
    expect(wiretap.sent).toMatchObject([{ body }]);
  });

  test('[WIRE40] is told so by Messages in its own form', async () => {
    const refused = await guarded({ maxMessages: 1 }).ask(chat(empties(2)), {}, MESSAGES);
    expect(await refused.json()).toMatchObject({
      type: 'error',
      error: { type: 'invalid_request_error', message: expect.stringContaining('2 messages') },
    });
  });

  test('[WIRE40] is measured unpacked', async () => {
    const body = new Uint8Array(gzipSync(chat(`{"content":"${'a'.repeat(2_000)}"}`)));
    const { ask, errors } = guarded({ maxBytes: 1_000 });
    expect(body.length).toBeLessThan(1_000);
    expect((await ask(body, { 'content-encoding': 'gzip' })).status).toBe(400);
    expect(errors).toEqual([]);
  });
});

describe('a history', () => {
  test('[WIRE41] of 10,000 answers that instructions correct is guarded like any other', async () => {
    const { ask, errors, wiretap } = guarded();
    const pair = '{"role":"assistant","content":"u"},{"role":"system","content":"s"}';
    const pairs = Array.from({ length: 10_000 }, () => pair).join();
    expect((await ask(chat(`${HI},${pairs}`))).status).toBe(200);
    expect(errors).toEqual([]);
    expect(wiretap.breaker.cost.tokens).toBe(15);
  });

  test.each([
    ['deep', '['.repeat(3_000) + ']'.repeat(3_000)],
    ['large', `[${empties(60_000)}]`],
  ])('[WIRE41] with %s JSON in a text is guarded, with it as a text', async (_, text) => {
    const { ask, errors, wiretap } = guarded();
    expect((await ask(withArguments(text))).status).toBe(200);
    expect(errors).toEqual([]);
    const [step] = wiretap.told.flatMap(({ signal }) =>
      signal.kind === 'tool-call' ? [signal] : [],
    );
    expect([step?.args, step?.result]).toEqual([text, text]);
  });

  test('[WIRE41] is known again when an answer is asked for anew', async () => {
    const wiretap = new Wiretap();
    const system = { role: 'system', content: 'Answer with JSON.' };
    await wiretap.ask([user('Who is next?'), system], 'Me.');
    await wiretap.ask([user('Who is next?'), system, said('Me.'), system], '{"next":"Ann"}');
    expect(wiretap.conversations).toHaveLength(1);
  });
});
