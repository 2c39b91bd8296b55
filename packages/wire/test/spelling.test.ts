import { describe, expect, test } from 'vitest';
import { guardFetch } from '../src/index.ts';
import { user, Wiretap } from './support/wiretap.ts';

const ASKED = JSON.stringify({ model: 'gpt-4o', messages: [user('Write a poem.')] });
const utf16 = (text: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.from(`\ufeff${text}`, 'utf16le'));

function stopped(failMode: 'open' | 'closed' = 'open') {
  const errors: string[] = [];
  const wiretap = new Wiretap({ failMode, onError: (error) => errors.push(String(error)) });
  wiretap.breaker.stop('enough');
  const ask = (path: string, body: string | Uint8Array<ArrayBuffer> = ASKED, headers = {}) =>
    wiretap.fetch(`https://api.example${path}`, { method: 'POST', body, headers });
  return { wiretap, errors, ask };
}

describe('the path of a model', () => {
  test.each([
    '/v1/chat/%63ompletions',
    '/v1/chat%2fcompletions',
    '/v1/chat%5Ccompletions',
    '/v1/chat/%2563ompletions',
    '/v1//chat//completions',
    '/v1/chat/./completions',
    '/v1/chat/x/%252e%252e/completions',
    '/v1/chat/Completions',
    '/v1/chat;a=b/completions;x',
    '/v1/chat/completions//',
    '/v1/chat/completions%20',
    '/v1/chat/completions?x=/y#z',
    '/v1/MESSAGES',
    '/v1/re%73ponses',
    '/v1beta/models/gemini-2.5-flash%3AgenerateContent',
    '/v1beta//MODELS/gemini-2.5-flash:StreamGenerateContent;x?alt=sse',
    '/v1/projects/p/locations/l/publishers/google/models/x:generateContent/',
    '/v1beta1/projects/p/locations/l/endpoints/7:generate%43ontent',
    '/v1beta/tunedModels/mine:generateContent',
    '/v1internal:gener%61teContent',
  ])('[WIRE42] is guarded in every spelling: %s', async (path) => {
    const { ask, wiretap } = stopped();
    const contents = [{ parts: [{ text: 'Write a poem.' }] }];
    const more = { input: 'Write a poem.', contents, request: { contents } };
    const body = JSON.stringify({ ...JSON.parse(ASKED), ...more });
    expect((await ask(path, body)).status).toBe(402);
    expect(wiretap.sent).toEqual([]);
  });

  test.each([
    '/v1/completions',
    '/v1/chat/completions/count',
    '/v1/chatcompletions',
    '/v1/%zzmessages',
    '/v1beta/models/gemini-2.5-flash:countTokens',
    '/v1beta/models/gemini-embedding-001:embedContent',
    '/v1beta/models/gemini-2.5-flash:batchGenerateContent',
    '/v1internal:countTokens',
  ])('[WIRE42] is no other one: %s', async (path) => {
    const { ask, wiretap } = stopped('closed');
    expect((await ask(path)).status).toBe(200);
    expect(wiretap.sent).toHaveLength(1);
  });

  test('[WIRE42] goes on as it was spelled', async () => {
    const paths: string[] = [];
    const fetch = guardFetch(new Wiretap().breaker, {
      fetch: async (input) => {
        paths.push(String(input));
        return Response.json({});
      },
    });
    const url = 'https://api.example/v1//chat/%63ompletions';
    await fetch(url, { method: 'POST', body: ASKED });
    expect(paths).toEqual([url]);
  });
});

describe('a body that is no JSON', () => {
  test.each<[string, string | Uint8Array<ArrayBuffer>]>([
    ['NaN', ASKED.replace('{', '{"seed":NaN,')],
    ['UTF-16', utf16(ASKED)],
    ['UTF-16 with the other end first', new Uint8Array(Buffer.from(utf16(ASKED)).swap16())],
    ['UTF-32', new Uint8Array([...ASKED].flatMap((sign) => [0, 0, 0, sign.charCodeAt(0)]))],
    ['a comment', `${ASKED}//x`],
    ['a zero byte', `${ASKED}\0`],
    ['half of it', ASKED.slice(0, -9)],
  ])('[WIRE43] is a mistake if it begins like an object: %s', async (_, body) => {
    const { ask, errors, wiretap } = stopped();
    const refused = await ask('/v1/chat/completions', body);
    expect(refused.status).toBe(400);
    expect(await refused.text()).toContain('The call was not made: its body is no JSON in UTF-8.');
    expect([errors, wiretap.sent]).toEqual([[], []]);
  });

  test.each<[string, string]>([
    ['a form', 'to=ann&text=%7B'],
    ['parts', '--x\r\ncontent-disposition: form-data; name="to"\r\n\r\nann\r\n--x--'],
    ['nothing', ''],
  ])('[WIRE43] passes or not as failMode says: %s', async (_, body) => {
    const open = stopped();
    expect((await open.ask('/v1/messages', body)).status).toBe(200);
    expect(open.errors).toEqual(['Error: its body is no JSON']);
    const closed = stopped('closed');
    expect((await closed.ask('/v1/messages', body)).status).toBe(402);
    expect([closed.errors, closed.wiretap.sent]).toEqual([open.errors, []]);
  });
});

describe('a body without a readable history', () => {
  const said = { role: 'user', content: 'x' };
  const CHAT = '/v1/chat/completions';
  test.each([
    [CHAT, { messages: { 0: said } }, "its field 'messages' is not a list of messages"],
    ['/v1/messages', { messages: 'x' }, "its field 'messages' is not a list of messages"],
    [
      '/v1beta/models/m:generateContent',
      { contents: 'x' },
      "its field 'contents' is not a list of messages",
    ],
    [CHAT, [{ messages: [said] }], 'its body is a JSON list, not an object'],
  ])('[WIRE99] is a mistake, at %s with %j', async (path, body, why) => {
    const { ask, errors, wiretap } = stopped();
    const refused = await ask(path, JSON.stringify(body));
    expect(refused.status).toBe(400);
    expect(await refused.text()).toContain(`The call was not made: ${why}.`);
    expect([errors, wiretap.sent]).toEqual([[], []]);
  });

  test('[WIRE99] is a mistake where a second field hides the history', async () => {
    const body = JSON.stringify({ messages: [said], more: 1 }).replace('more', 'messages');
    expect((await stopped().ask(CHAT, body)).status).toBe(400);
  });

  test.each([
    ['/v1/threads/t/messages', said],
    [CHAT, { model: 'm' }],
  ])('[WIRE99] passes if it has none, at %s with %j', async (path, body) => {
    expect((await stopped('closed').ask(path, JSON.stringify(body))).status).toBe(200);
  });
});

describe('a request of Responses without input', () => {
  const PROMPT = { id: 'pmpt_1', variables: { city: 'Rome' } };
  test.each([
    ['a prompt that is kept', { prompt: PROMPT }],
    ['an earlier answer', { previous_response_id: 'resp_1' }],
    ['a conversation', { conversation: { id: 'conv_1' } }],
    ['nothing', {}],
    ['another form', { input: { role: 'user', content: 'Write.' } }],
  ])('[WIRE53] is refused like any other: %s', async (_, more) => {
    const { ask, wiretap } = stopped();
    const body = JSON.stringify({ model: 'gpt-4o', ...more });
    expect((await ask('/v1/responses', body)).status).toBe(402);
    expect(wiretap.sent).toEqual([]);
  });

  test('[WIRE53] is booked, and stopped when it is asked again and again for the same', async () => {
    const wiretap = new Wiretap();
    const statuses: number[] = [];
    for (let i = 0; i < 12; i++) {
      wiretap.next = () =>
        Response.json({
          id: `resp_${i}`,
          status: 'completed',
          output: [
            {
              type: 'message',
              role: 'assistant',
              content: [{ type: 'output_text', text: 'It is sunny in Rome, as it was.' }],
            },
          ],
          usage: { input_tokens: 10, output_tokens: 5 },
        });
      const body = JSON.stringify({ model: 'gpt-4o', prompt: PROMPT });
      const headers = { 'x-teamfuse-conversation': 'weather' };
      const url = 'https://api.example/v1/responses';
      statuses.push((await wiretap.fetch(url, { method: 'POST', body, headers })).status);
    }
    expect(statuses.slice(0, 2)).toEqual([200, 200]);
    expect(statuses.at(-1)).toBe(402);
    expect(wiretap.breaker.cost.tokens).toBe(15 * statuses.filter((one) => one === 200).length);
    expect(wiretap.heard[0]).toBe('user: {"id":"pmpt_1","variables":{"city":"Rome"}}');
  });
});

describe('a name in a header', () => {
  test.each(['agent', 'conversation', 'user'])(
    '[WIRE44] that is too long is a mistake: x-teamfuse-%s',
    async (name) => {
      const wiretap = new Wiretap({ onError: (error) => expect(error).toBeUndefined() });
      const refused = await wiretap.ask([user('Write.')], 'Roses.', {
        [`x-teamfuse-${name}`]: 'x'.repeat(901),
      });
      expect(refused.status).toBe(400);
      expect(await refused.text()).toContain(`the header x-teamfuse-${name} has 901 characters`);
      expect(wiretap.sent).toEqual([]);
    },
  );

  test.each(['agent', 'conversation', 'user'])(
    '[WIRE44] counts up to 900 characters, and not without any: x-teamfuse-%s',
    async (name) => {
      const errors: unknown[] = [];
      const wiretap = new Wiretap({ onError: (error) => errors.push(error) });
      for (const value of ['x'.repeat(900), '']) {
        const headers = { [`x-teamfuse-${name}`]: value };
        const answered = await wiretap.ask([user(`Write to ${value}.`)], 'Roses.', headers);
        expect(answered.status).toBe(200);
      }
      expect(errors).toEqual([]);
      expect(wiretap.breaker.cost.tokens).toBe(30);
    },
  );
});
