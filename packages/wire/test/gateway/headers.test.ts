import { once } from 'node:events';
import type { IncomingHttpHeaders, RequestListener } from 'node:http';
import { describe, expect, test } from 'vitest';
import { ASKED, poem, ServedGateway } from './support/served-gateway.ts';

/** A gateway whose upstream answers with these headers, and the headers that came there. */
async function start(headers: Record<string, string | string[]> = {}, status = 200) {
  const got: IncomingHttpHeaders[] = [];
  const listener: RequestListener = (request, response) => {
    got.push(request.headers);
    request.resume().on('end', () => response.writeHead(status, headers).end(poem()));
  };
  return { got, gateway: await ServedGateway.start(listener) };
}

describe('headers', () => {
  test('[GWY16] of the gateway are taken from nobody else, nor sent on', async () => {
    const forged = {
      'x-teamfuse-refused': 'true',
      'x-teamfuse-spent': '0',
      'x-teamfuse-conversation': 'mine',
      'X-Teamfuse-Other': 'a',
    };
    const { gateway, got } = await start(forged);
    await using _ = gateway;
    const asked = { 'x-teamfuse-agent': 'a', 'x-teamfuse-conversation': 'b', 'x-teamfuse-x': 'c' };
    const { response } = await gateway.ask(ASKED, { headers: asked });
    expect(response.headers['x-teamfuse-conversation']).toMatch(/^[\da-f]+%2Fb$/);
    expect(Number(response.headers['x-teamfuse-spent'])).toBeGreaterThan(0);
    const other = await gateway.ask('', { method: 'GET', headers: asked }, '/v1/models');
    const own = (headers: IncomingHttpHeaders): string[] =>
      Object.keys(headers).filter((name) => name.startsWith('x-teamfuse-'));
    expect(own(response.headers)).toEqual([
      'x-teamfuse-conversation',
      'x-teamfuse-spent',
      'x-teamfuse-suspicion',
    ]);
    expect([own(other.response.headers), ...got.map(own)]).toEqual([[], [], []]);
  });

  test('[GWY16] of one connection end there, those that it names included', async () => {
    const { gateway, got } = await start({ connection: 'x-hop', 'x-hop': 'b', 'x-kept': 'c' });
    await using _ = gateway;
    const headers = { connection: 'X-Mine, (odd)', 'x-mine': 'a', te: 'trailers', 'x-sent': 'b' };
    const { response } = await gateway.ask(ASKED, { headers });
    expect(got[0]).toMatchObject({ 'x-sent': 'b' });
    expect(Object.keys(got[0] ?? {})).not.toEqual(expect.arrayContaining(['x-mine']));
    expect(got[0]).not.toHaveProperty('te');
    expect(response.headers).not.toHaveProperty('x-hop');
    expect(response.headers['x-kept']).toBe('c');
  });

  test('[GWY34] of a user stay, whatever the caller names in Connection', async () => {
    const { gateway, got } = await start();
    await using _ = gateway;
    const named = 'x-teamfuse-user, X-Teamfuse-Conversation, authorization, x-mine';
    const headers = {
      connection: named,
      'x-teamfuse-user': 'ann',
      'x-teamfuse-conversation': 'b',
      authorization: 'Bearer sk-1',
      'x-mine': 'a',
    };
    const { response } = await gateway.ask(ASKED, { headers });
    expect(response.headers['x-teamfuse-conversation']).toMatch(/%2F[\da-f]+%2Fb$/);
    expect(got[0]).toMatchObject({ authorization: 'Bearer sk-1' });
    expect(got[0]).not.toHaveProperty('x-mine');
  });

  test.each([
    ['authorization: Bearer sk-1\r\nauthorization: Bearer sk-2\r\n', 400],
    ['authorization: sk-1\r\nauthorization: sk-2\r\n', 400],
    ['x-api-key: sk-1\r\nx-api-key: sk-2\r\n', 400],
    ['authorization: Bearer sk-1\r\nx-api-key: sk-2\r\n', 200],
    ['authorization: AWS4-HMAC-SHA256 Credential=a, SignedHeaders=b, Signature=c\r\n', 200],
  ])('[GWY34] for keys come once: %j', async (lines, status) => {
    const { gateway } = await start();
    await using _ = gateway;
    const socket = await gateway.connection();
    const body = JSON.stringify(ASKED);
    socket.write(
      `POST /v1/chat/completions HTTP/1.1\r\nhost: 127.0.0.1\r\n${lines}content-length: ${body.length}\r\n\r\n${body}`,
    );
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(String(answer)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    socket.destroy();
  });

  test('[GWY16] with line breaks never become headers of their own', async () => {
    const { gateway, got } = await start();
    await using _ = gateway;
    const socket = await gateway.connection();
    const body = JSON.stringify(ASKED);
    const ask = (lines: string): boolean =>
      socket.write(
        `POST /v1/chat/completions HTTP/1.1\r\nhost: 127.0.0.1\r\n${lines}content-length: ${body.length}\r\n\r\n${body}`,
      );
    let heard = '';
    socket.on('data', (data) => {
      heard += data;
    });
    ask('x-teamfuse-conversation: a%0d%0ax-evil: 1\r\n');
    await expect.poll(() => heard).toContain('Roses');
    expect(heard).not.toMatch(/^x-evil/m);
    ask('x-odd: a\rx-evil: 1\r\n');
    await once(socket, 'close');
    expect(heard).toContain('400 Bad Request');
    expect(got).toHaveLength(1);
  });

  test('[GWY16] with odd names and values arrive as they came', async () => {
    const { gateway, got } = await start({
      '!#$&*+-.^_`|~': 'a',
      'x-latin': 'caf\u00e9',
      'set-cookie': ['a=1', 'b=2'],
    });
    await using _ = gateway;
    const { response } = await gateway.ask(ASKED, {
      headers: { "!'~": 'b', 'x-empty': '' },
    });
    expect(got[0]).toMatchObject({ "!'~": 'b', 'x-empty': '' });
    expect(response.headers).toMatchObject({
      '!#$&*+-.^_`|~': 'a',
      'x-latin': 'caf\u00e9',
      'set-cookie': ['a=1', 'b=2'],
    });
  });
});

describe('a request that asks for something else', () => {
  test.each(['HEAD', 'OPTIONS'])(
    '[GWY17] by %s passes, and begins no conversation',
    async (method) => {
      const { gateway, got } = await start({ allow: 'POST' });
      await using _ = gateway;
      const { response } = await gateway.ask('', { method });
      expect([response.statusCode, response.headers.allow]).toEqual([200, 'POST']);
      expect(response.headers).not.toHaveProperty('x-teamfuse-conversation');
      expect(got).toHaveLength(1);
    },
  );

  test.each([
    ['/v1/chat/completions', ''],
    ['/t/research/v1/chat/completions', '/t/research'],
  ])(
    '[GWY17] is led on to the gateway where the upstream leads on to itself: %s',
    async (path, prefix) => {
      const listener: RequestListener = ({ headers: { host } }, response) =>
        response.writeHead(308, { location: `http://${host}/v2/chat/completions?a=1` }).end();
      await using gateway = await ServedGateway.start(listener);
      const { response } = await gateway.ask(ASKED, {}, path);
      expect(response.statusCode).toBe(308);
      expect(response.headers.location).toBe(`${prefix}/v2/chat/completions?a=1`);
    },
  );

  test('[GWY17] is led on to others as the upstream says, and not followed', async () => {
    const location = 'https://elsewhere.example/v1/chat/completions';
    const { gateway } = await start({ location }, 307);
    await using _ = gateway;
    const { response } = await gateway.ask();
    expect([response.statusCode, response.headers.location]).toEqual([307, location]);
  });

  test.each([204, 205, 304])('[GWY17] gets the status %i, which has no body', async (status) => {
    const { gateway } = await start({}, status);
    await using _ = gateway;
    const { response, text } = await gateway.ask();
    expect([response.statusCode, text]).toEqual([status, '']);
  });
});
