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
  ])('[WIRE42] is guarded in every spelling: %s', async (path) => {
    const { ask, wiretap } = stopped();
    const body = JSON.stringify({ ...JSON.parse(ASKED), input: 'Write a poem.' });
    expect((await ask(path, body)).status).toBe(402);
    expect(wiretap.sent).toEqual([]);
  });

  test.each([
    '/v1/completions',
    '/v1/chat/completions/count',
    '/v1/chatcompletions',
    '/v1/%zzmessages',
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
    ['a comment', `${ASKED}//x`],
    ['a zero byte', `${ASKED}\0`],
    ['nothing', ''],
  ])('[WIRE43] passes or not as failMode says: %s', async (_, body) => {
    const open = stopped();
    expect((await open.ask('/v1/chat/completions', body)).status).toBe(200);
    expect(open.errors).toEqual(['Error: its body is no JSON']);
    const closed = stopped('closed');
    expect((await closed.ask('/v1/chat/completions', body)).status).toBe(402);
    expect([closed.errors, closed.wiretap.sent]).toEqual([open.errors, []]);
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
