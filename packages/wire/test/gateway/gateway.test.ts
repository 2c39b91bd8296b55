import { Breaker, InvalidOptionError } from '@teamfuse/core';
import { describe, expect, test } from 'vitest';
import { createGateway, type GatewayOptions } from '../../src/gateway/index.ts';

const UPSTREAM = 'https://api.example';
const LOCAL = 'http://127.0.0.1:4141';

/** A gateway whose upstream answers what it is told, and the requests that came there. */
function gateway(
  options: Partial<GatewayOptions> = {},
  answer = (): Response => Response.json({}),
) {
  const got: Request[] = [];
  const breaker = new Breaker();
  const upstream: typeof fetch = async (input, init) => {
    got.push(new Request(input, init));
    return answer();
  };
  const made = createGateway({ upstream: UPSTREAM, breaker, fetch: upstream, ...options });
  const ask = (path: string, headers: Record<string, string> = {}, messages: object[] = TASK) => {
    const body = JSON.stringify({ model: 'gpt-4o-mini', messages });
    return made.fetch(new Request(LOCAL + path, { method: 'POST', headers, body }));
  };
  return { ...made, ask, got, breaker };
}

const TASK = [{ role: 'user', content: 'Write a poem.' }];
const CHAT = '/v1/chat/completions';
const answered = (): Response =>
  Response.json({
    choices: [
      { index: 0, message: { role: 'assistant', content: 'Roses.' }, finish_reason: 'stop' },
    ],
    usage: { prompt_tokens: 1000, completion_tokens: 500 },
  });

describe('a gateway', () => {
  test('[GWY1] sends requests on with their keys, and answers with what they cost', async () => {
    const { ask, got } = gateway({}, answered);
    const response = await ask(CHAT, { authorization: 'Bearer sk-1', host: '127.0.0.1:4141' });
    expect(got.map(({ url }) => url)).toEqual([UPSTREAM + CHAT]);
    expect(got[0]?.headers.get('authorization')).toBe('Bearer sk-1');
    expect(await response.json()).toMatchObject({ usage: { prompt_tokens: 1000 } });
    expect(Number(response.headers.get('x-teamfuse-spent'))).toBeCloseTo(0.00045);
    const conversation = response.headers.get('x-teamfuse-conversation');
    expect(conversation).toMatch(/^[\w-]+$/);
    expect(conversation).not.toContain('sk-1');
  });

  test.each(['/v1', '/v1/', '/openai/v1', '/openai'])(
    '[GWY42] sends requests to an upstream at %s with one version',
    async (base) => {
      const { ask, got } = gateway({ upstream: UPSTREAM + base }, answered);
      await ask(CHAT);
      const origin = base.startsWith('/openai') ? `${UPSTREAM}/openai` : UPSTREAM;
      expect(got.map(({ url }) => url)).toEqual([origin + CHAT]);
    },
  );

  test.each([
    ['that says the same again', () => 'We are still looking at the report.', true],
    ['that finds something new', (i: number) => `Page ${i} of the report says ${17 * i}.`, false],
  ])('[GWY1] says of a conversation %s how suspicious it is', async (_, text, isSuspicious) => {
    const { ask } = gateway({}, answered);
    const messages: object[] = [...TASK];
    const suspicions: number[] = [];
    for (let i = 0; i < 5; i++) {
      const { headers } = await ask(CHAT, {}, messages);
      suspicions.push(Number(headers.get('x-teamfuse-suspicion')));
      messages.push({ role: 'assistant', content: text(i), name: 'reader' });
    }
    expect(suspicions.map((score) => score > 0.5)).toEqual(
      suspicions.map((_, i) => isSuspicious && i > 1),
    );
  });

  test('[GWY1] passes other paths, methods and queries untouched', async () => {
    const { fetch, got } = gateway({}, () => new Response('[]', { headers: { a: 'b' } }));
    const response = await fetch(new Request(`${LOCAL}/v1/models?limit=2`));
    expect(got.map(({ url, method }) => `${method} ${url}`)).toEqual([
      `GET ${UPSTREAM}/v1/models?limit=2`,
    ]);
    expect(response.headers.get('a')).toBe('b');
    expect(await response.text()).toBe('[]');
  });

  test('[GWY2] keeps conversations of different keys apart, even with the same name', async () => {
    const { ask } = gateway({}, answered);
    const named = { 'x-teamfuse-conversation': 'poem' };
    const ids = ['a', 'b', 'a'].map(async (key) => {
      const response = await ask(CHAT, { ...named, authorization: `Bearer ${key}` });
      return response.headers.get('x-teamfuse-conversation');
    });
    const [first, second, again] = await Promise.all(ids);
    expect(first).not.toBe(second);
    expect(again).toBe(first);
  });

  test('[GWY18] gives a conversation the same id in gateways with one salt, and in no others', async () => {
    const headers = { 'x-teamfuse-conversation': 'poem', authorization: 'Bearer a' };
    const ids = [{ salt: 'one' }, { salt: 'one' }, { salt: 'two' }, {}, {}].map(async (given) => {
      const response = await gateway(given, answered).ask(CHAT, headers);
      return response.headers.get('x-teamfuse-conversation');
    });
    const [first, same, ...others] = await Promise.all(ids);
    expect(same).toBe(first);
    expect(new Set([first, ...others]).size).toBe(4);
  });

  test.each([
    [true, [true, false]],
    [false, [false]],
  ])('[GWY31] asks streams for their usage as streamUsage says: %s', async (streamUsage, asked) => {
    const { fetch, got } = gateway({ streamUsage }, () => new Response(null, { status: 422 }));
    const body = JSON.stringify({ model: 'gpt-4o-mini', messages: TASK, stream: true });
    await fetch(new Request(LOCAL + CHAT, { method: 'POST', body }));
    const bodies = await Promise.all(got.map((request) => request.json()));
    expect(bodies.map((sent) => 'stream_options' in Object(sent))).toEqual(asked);
  });

  test('[GWY3] gives each team of a path its own breaker', async () => {
    const teams: Record<string, Breaker> = {};
    const breaker = (team = 'none'): Breaker => {
      teams[team] ??= new Breaker();
      return teams[team];
    };
    const { ask, got } = gateway({ breaker }, answered);
    await ask(`/t/research${CHAT}`);
    await ask(`/t/sales${CHAT}`);
    await ask(CHAT);
    expect(got.map(({ url }) => url)).toEqual(Array(3).fill(UPSTREAM + CHAT));
    expect(Object.keys(teams)).toEqual(['research', 'sales', 'none']);
    expect(teams.sales?.cost.tokens).toBe(1500);
  });

  test.each([
    ['/t/r%26d/v1/models?limit=1', 'r&d', '/v1/models?limit=1'],
    ['/t/r%ZZ/v1/models', 'r%ZZ', '/v1/models'],
    ['/t/research', 'research', '/'],
    ['/t//v1/models', undefined, '/t//v1/models'],
    ['/team/research/v1/models', undefined, '/team/research/v1/models'],
  ])('[GWY3] reads the team of a path, with its escapes: %s', async (path, name, rest) => {
    const teams: unknown[] = [];
    const breaker = (team?: string): Breaker => {
      teams.push(team);
      return new Breaker();
    };
    const { ask, got } = gateway({ breaker });
    await ask(path);
    expect([teams, got.map(({ url }) => url)]).toEqual([[name], [UPSTREAM + rest]]);
  });

  test.each([
    ['another host', { host: 'evil.example' }],
    ['a host that only begins like this machine', { host: 'localhost.evil.example' }],
    ['a page of a browser', { origin: 'https://evil.example' }],
  ])('[GWY4] refuses %s', async (_, headers) => {
    const { ask, got } = gateway({}, answered);
    expect((await ask(CHAT, headers)).status).toBe(403);
    expect(got).toEqual([]);
  });

  test.each([
    ['token-1', 200],
    ['token-2', 403],
    ['', 403],
  ])('[GWY4] with a token takes %j from any host: %i', async (token, status) => {
    const { ask, got } = gateway({ token: 'token-1' }, answered);
    const headers = { host: 'gate.example', 'x-teamfuse-token': token };
    expect((await ask(CHAT, headers)).status).toBe(status);
    for (const { headers } of got) expect(headers.has('x-teamfuse-token')).toBe(false);
  });

  test('[GWY5] says so when the upstream cannot be reached', async () => {
    const answer = (): never => {
      throw new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') });
    };
    const response = await gateway({}, answer).ask(CHAT);
    expect(response.status).toBe(502);
    expect(await response.json()).toMatchObject({
      error: { message: 'api.example: fetch failed: connect ECONNREFUSED' },
    });
  });

  test('[GWY5] passes errors of the upstream as they are', async () => {
    const answer = (): Response =>
      Response.json({ error: 'slow down' }, { status: 429, headers: { 'retry-after': '7' } });
    const response = await gateway({}, answer).ask(CHAT);
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '7']);
    expect(await response.json()).toEqual({ error: 'slow down' });
  });

  test('[GWY6] refuses in the form that was chosen', async () => {
    const { ask, breaker } = gateway({ refusal: 'answer', stopWord: 'BYE' }, answered);
    const headers = { 'x-teamfuse-conversation': 'poem' };
    await ask(CHAT, headers);
    breaker.stop('enough');
    const response = await ask(CHAT, headers);
    const { choices } = (await response.json()) as { choices: { message: { content: string } }[] };
    expect(choices[0]?.message.content).toBe('Stopped: enough.\n\nBYE');
  });

  test('[GWY7] refuses wrong options', () => {
    const breaker = new Breaker();
    const make = (options: object) => () => createGateway(options as GatewayOptions);
    expect(make({ breaker, upstream: 'api.openai.com' })).toThrow("option 'upstream'");
    expect(make({ breaker, upstream: UPSTREAM, refusal: 'no' })).toThrow("option 'refusal'");
    const withMore = [
      'https://ann:secret@api.example',
      `${UPSTREAM}?key=secret`,
      `${UPSTREAM}#secret`,
    ];
    for (const upstream of withMore) {
      expect(make({ breaker, upstream })).toThrow(/^option 'upstream'(?!.*secret)/);
    }
    expect(make({ breaker: {}, upstream: UPSTREAM })).toThrow(InvalidOptionError);
    expect(make({ breaker, upstream: UPSTREAM, upstrem: 1 })).toThrow("did you mean 'upstream'?");
  });
});
