import { createHash } from 'node:crypto';
import { Breaker, type BudgetOptions } from '@teamfuse/core';
import { describe, expect, test } from 'vitest';
import { createGateway, type GatewayOptions } from '../../src/gateway/index.ts';

const CHAT = '/v1/chat/completions';
const TASK = [{ role: 'user', content: 'Write a poem.' }];
const sha256 = (key: string): string => createHash('sha256').update(key).digest('hex');

function gateway(options: Partial<GatewayOptions>) {
  const breaker = new Breaker();
  const upstream: typeof fetch = async () => {
    const message = { role: 'assistant', content: 'Roses.' };
    const usage = { input_tokens: 60, output_tokens: 40 };
    const choices = [{ index: 0, message, finish_reason: 'stop' }];
    const content = [{ type: 'text', text: 'Roses.' }];
    return Response.json({ choices, content, stop_reason: 'end_turn', usage });
  };
  const made = createGateway({
    upstream: 'https://api.example',
    breaker,
    fetch: upstream,
    ...options,
  });
  return async (path: string, headers: Record<string, string> = {}, more: object = {}) => {
    const body = JSON.stringify({ model: 'gpt-4o-mini', messages: TASK, ...more });
    const request = new Request(`http://127.0.0.1${path}`, { method: 'POST', headers, body });
    const response = await made.fetch(request);
    const { error } = (await response.json()) as { error?: { code?: string; message: string } };
    return { status: response.status, code: error?.code, message: error?.message };
  };
}

test('[GWY35] a mistake of a caller is told, and no other refusal', async () => {
  const mistakes: string[] = [];
  const breaker = new Breaker();
  const teams = (team?: string) => (team === undefined ? breaker : undefined);
  const onMistake = (mistake: string) => mistakes.push(mistake);
  const ask = gateway({ breaker: teams, bounds: { maxMessages: 1 }, onMistake });
  expect((await ask(CHAT)).status).toBe(200);
  expect((await ask(CHAT, {}, { messages: [...TASK, ...TASK] })).status).toBe(400);
  expect((await ask(`/t/law${CHAT}`)).status).toBe(404);
  expect((await ask(CHAT, { origin: 'http://evil.example' })).status).toBe(403);
  breaker.stop('enough');
  expect((await ask(CHAT)).status).toBe(402);
  expect(mistakes).toEqual([
    'the request has 2 messages, more than 1 (bounds.maxMessages)',
    "there is no team 'law'",
    'pages of browsers are not let in without a token',
  ]);
});

describe('the team of a request', () => {
  const teams: Record<string, Breaker> = { sales: new Breaker(), law: new Breaker() };
  const main = new Breaker();
  const keys = [{ sha256: sha256('sk-of-sales').slice(0, 12), team: 'sales' }];
  const breaker = (team?: string) => (team === undefined ? main : teams[team]);
  const spent = () => [main, teams.sales, teams.law].map((one) => one?.cost.tokens);

  test.each([
    ['none', CHAT, {}, [100, 0, 0]],
    ['that of the path', `/t/law${CHAT}`, {}, [0, 0, 100]],
    ['that of the header', CHAT, { 'x-teamfuse-team': 'law' }, [0, 0, 100]],
    ['that of the key', CHAT, { authorization: 'Bearer sk-of-sales' }, [0, 100, 0]],
    [
      'that of a known key, whatever another header holds',
      CHAT,
      { authorization: 'Bearer sk-other', 'x-api-key': 'sk-of-sales' },
      [0, 100, 0],
    ],
    ['that of the key by another header', CHAT, { 'x-api-key': 'sk-of-sales' }, [0, 100, 0]],
  ])('[GWY10] is %s', async (_, path, headers, added) => {
    const before = spent();
    const { status } = await gateway({ breaker, keys })(path, headers as Record<string, string>);
    expect(status).toBe(200);
    expect(spent().map((tokens, i) => (tokens ?? 0) - (before[i] ?? 0))).toEqual(added);
  });

  test('[GWY10] that does not exist is an error, and so is another one than that of the key', async () => {
    const ask = gateway({ breaker, keys });
    expect(await ask(`/t/slaes${CHAT}`)).toMatchObject({ status: 404, code: 'unknown_team' });
    const other = await ask(`/t/law${CHAT}`, { authorization: 'Bearer sk-of-sales' });
    expect(other).toMatchObject({ status: 403, code: 'other_team' });
  });

  test('[GWY7] refuses what is no fingerprint without showing it', () => {
    const wrong = {
      upstream: 'https://api.example',
      breaker: main,
      keys: [{ sha256: 'sk-secret' }],
    };
    expect(() => createGateway(wrong)).toThrow("option 'keys': expected a list");
    expect(() => createGateway(wrong)).not.toThrow('sk-secret');
  });
});

describe('what a caller may spend', () => {
  const ann = { 'x-teamfuse-user': 'ann' };
  test.each<[string, BudgetOptions, string, object, object, object]>([
    ['the user of the header', { perUser: { maxTokens: 100 } }, CHAT, ann, {}, { user: 'bob' }],
    ['the user of the request', { perUser: { maxTokens: 100 } }, CHAT, {}, { user: 'ann' }, {}],
    [
      "Anthropic's user",
      { perUser: { maxTokens: 100 } },
      '/v1/messages',
      {},
      { metadata: { user_id: 'ann' } },
      { metadata: { user_id: 'bob' } },
    ],
  ])('[GWY11] is limited for %s', async (_, budget, path, headers, own, other) => {
    const ask = gateway({ breaker: new Breaker({ budget }) });
    const given = headers as Record<string, string>;
    const statuses = [await ask(path, given, own), await ask(path, given, own)];
    expect(statuses.map(({ status }) => status)).toEqual([200, 402]);
    expect(statuses[1]?.message).toContain("the budget of user 'ann'");
    expect((await ask(path, {}, other)).status).toBe(200);
  });

  test('[GWY11] is limited for each team, by its path, its header and its key', async () => {
    const breaker = new Breaker({ budget: { perTeam: { maxTokens: 100 } } });
    const keys = [{ sha256: sha256('sk-of-sales'), team: 'sales' }];
    const ask = gateway({ breaker, keys });
    expect((await ask(`/t/sales${CHAT}`)).status).toBe(200);
    expect((await ask(`/t/law${CHAT}`)).status).toBe(200);
    const refused = [
      await ask(CHAT, { authorization: 'Bearer sk-of-sales' }),
      await ask(CHAT, { 'x-teamfuse-team': 'law' }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([402, 402]);
    expect(refused[0]?.message).toContain("the budget of team 'sales'");
    expect((await ask(CHAT, { authorization: 'Bearer sk-other' })).status).toBe(200);
  });

  test('[GWY11] is limited for each key, by a name that is not the key', async () => {
    const breaker = new Breaker({ budget: { perKey: { maxTokens: 100 } } });
    const ask = gateway({ breaker, keys: [{ sha256: sha256('sk-named'), name: 'SALES_KEY' }] });
    const by = (key: string) => ask(CHAT, { authorization: `Bearer ${key}` });
    expect((await by('sk-named')).status).toBe(200);
    expect((await by('sk-other')).status).toBe(200);
    expect((await by('sk-named')).message).toContain("the budget of key 'SALES_KEY'");
    const { message } = await by('sk-other');
    expect(message).toContain(`the budget of key '${sha256('sk-other').slice(0, 12)}'`);
  });
});

describe('callers', () => {
  const said = async (path: string, headers: Record<string, string>, more: object = {}) => {
    const body = JSON.stringify({ model: 'gpt-4o-mini', messages: TASK, ...more });
    const request = new Request(`http://127.0.0.1${path}`, { method: 'POST', headers, body });
    const response = await SHARED.fetch(request);
    return decodeURIComponent(response.headers.get('x-teamfuse-conversation') ?? '');
  };
  const SHARED = createGateway({
    upstream: 'https://api.example',
    breaker: new Breaker(),
    salt: 'a secret',
    fetch: async () => Response.json({ choices: [] }),
  });
  const chat = { 'x-teamfuse-conversation': 'chat' };

  test.each(['x-goog-api-key', 'ocp-apim-subscription-key', 'cf-aig-authorization', 'cookie'])(
    '[GWY2] of different keys in %s never meet',
    async (name) => {
      const [a, again, b] = [
        await said(CHAT, { ...chat, [name]: 'key a' }),
        await said(CHAT, { ...chat, [name]: 'key a' }),
        await said(CHAT, { ...chat, [name]: 'key b' }),
      ];
      expect(again).toBe(a);
      expect(b).not.toBe(a);
    },
  );

  test('[GWY2] with one key meet, whatever the key of a call and the cookie are', async () => {
    const key = { authorization: 'Bearer sk-a', ...chat };
    const first = await said(CHAT, { ...key, 'idempotency-key': '1', cookie: 'a' });
    expect(await said(CHAT, { ...key, 'idempotency-key': '2', cookie: 'b' })).toBe(first);
  });

  test('[GWY11] reach no conversation of another user by a name', async () => {
    const key = { authorization: 'Bearer sk-a' };
    const ann = await said(CHAT, { ...key, ...chat, 'x-teamfuse-user': 'ann' });
    const [, ...inside] = ann.split('/');
    const name = inside.join('/');
    expect(await said(CHAT, { ...key, 'x-teamfuse-conversation': name })).not.toBe(ann);
    expect(await said(CHAT, { ...key, ...chat, 'x-teamfuse-user': 'ann' })).toBe(ann);
  });

  test('[GWY11] who are alike but for white space are two users', async () => {
    const key = { authorization: 'Bearer sk-a', ...chat };
    const one = await said(CHAT, key, { user: 'ann lee' });
    expect(await said(CHAT, key, { user: 'ann  lee' })).not.toBe(one);
  });

  test.each([
    ['x-api-key', 'https://api.example', '/v1/messages'],
    ['api-key', 'https://api.example', '/openai/deployments/gpt/chat/completions'],
    ['api-key', 'https://api.example', '/openai/d%65ployments/gpt/chat/completions'],
    ['api-key', 'https://ours.openai.azure.com', '/openai/v1/chat/completions'],
    ['ocp-apim-subscription-key', 'https://ours.azure-api.net', CHAT],
  ])(
    '[GWY11] pay with the key in %s, which the server takes at %s%s, whatever another header holds',
    async (name, upstream, path) => {
      const breaker = new Breaker({ budget: { perKey: { maxTokens: 150 } } });
      const ask = gateway({ breaker, upstream });
      const statuses = [];
      for (const fake of ['a', 'b', 'c', 'd']) {
        const sent = { [name]: 'sk-real', authorization: `Bearer ${fake}` };
        statuses.push((await ask(path, sent, { max_tokens: 40 })).status);
      }
      expect(statuses).toContain(402);
    },
  );

  test('[GWY11] pay at Vertex AI with their token, whatever the header for keys holds', async () => {
    const breaker = new Breaker({ budget: { perKey: { maxTokens: 150 } } });
    const ask = gateway({ breaker });
    const path = '/v1/projects/p/locations/eu/publishers/google/models/m:generateContent';
    const more = {
      contents: [{ role: 'user', parts: [{ text: 'Write a poem.' }] }],
      generationConfig: { maxOutputTokens: 40 },
    };
    const statuses = [];
    for (const fake of ['a', 'b', 'c', 'd']) {
      const sent = { authorization: 'Bearer real', 'x-goog-api-key': fake };
      statuses.push((await ask(path, sent, more)).status);
    }
    expect(statuses).toContain(402);
  });

  test('[GWY11] with two known keys pay with the one that the server takes', async () => {
    const breaker = new Breaker({ budget: { perKey: { maxTokens: 100 } } });
    const names = ['SALES', 'LAW'];
    const keys = names.map((name) => ({ sha256: sha256(`sk-${name}`), name }));
    const ask = gateway({ breaker, keys });
    const sent = { authorization: 'Bearer sk-LAW', 'api-key': 'sk-SALES' };
    expect((await ask(CHAT, sent)).status).toBe(200);
    expect((await ask(CHAT, sent)).message).toContain("the budget of key 'LAW'");
    expect((await ask(CHAT, { authorization: 'Bearer sk-SALES' })).status).toBe(200);
  });

  test('[GWY2] with one of two keys reach no conversation of who has both', async () => {
    const both = { ...chat, authorization: 'Bearer sk-a', 'api-key': 'k' };
    const ids = [
      await said(CHAT, both),
      await said(CHAT, { ...chat, authorization: 'Bearer sk-a' }),
      await said(CHAT, { ...chat, 'api-key': 'k' }),
      await said(CHAT, { ...both, 'api-key': 'another' }),
    ];
    expect(new Set(ids).size).toBe(4);
    expect(await said(CHAT, both)).toBe(ids[0]);
  });
});
