import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Breaker } from '@teamfuse/core';
import { MemoryCircuitStore, shared } from '@teamfuse/stores/fleet';
import { afterEach, describe, expect, it } from 'vitest';
import { LivePage } from '../../src/gateway/live-page.ts';

const open: (() => void)[] = [];
afterEach(() => {
  for (const close of open.splice(0)) close();
});

type Headers = Record<string, string>;

/** A live page on a port of its own, where all other paths are not found. */
async function serve(token?: string) {
  const page = new LivePage(token);
  const server: Server = createServer((asked, response) => {
    if (page.handle(asked, response) === undefined) response.writeHead(418).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  open.push(() => {
    page.close();
    server.close();
    server.closeAllConnections();
  });
  const ask = async (method: string, path: string, headers: Headers = {}, body = '') => {
    const sent = request({ host: '127.0.0.1', port, method, path, headers }).end(body);
    const [response] = await once(sent, 'response');
    const read = path.endsWith('/events') ? '' : await text(response);
    if (path.endsWith('/events')) response.destroy();
    return { status: response.statusCode, headers: response.headers, text: read };
  };
  const enter = async (given = page.path.split('#')[1] ?? token ?? ''): Promise<Headers> => {
    const { headers } = await ask('POST', '/teamfuse/login', {}, given);
    return { cookie: String(headers['set-cookie']?.[0]).split(';')[0] ?? '' };
  };
  return { page, port, ask, enter };
}

const said = (at: number, text: string) =>
  ({ kind: 'message', at, agent: 'writer', text }) as const;
const step = { kind: 'turn', agent: 'writer' } as const;

async function admitted(breaker: Breaker, id: string): Promise<boolean> {
  return (await breaker.conversation(id).admit(step)).isAdmitted;
}

/** What a page is sent: the conversations, and then the totals. */
async function* eventsIn({ body }: Response): AsyncGenerator<{ name: string; data: unknown }> {
  let text = '';
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    text += new TextDecoder().decode(chunk);
    const events = text.split('\n\n');
    text = events.pop() ?? '';
    for (const event of events) {
      const [, name = '', data = ''] = /^event: (\w+)\ndata: (.*)$/.exec(event) ?? [];
      yield { name, data: JSON.parse(data) };
    }
  }
}

describe('the live page of a gateway', () => {
  it('[GWC5] shows nothing to who has not entered, and is on no other path', async () => {
    const { ask } = await serve();
    expect((await ask('GET', '/v1/models')).status).toBe(418);
    expect((await ask('GET', '/teamfusea')).status).toBe(418);
    expect((await ask('GET', '//')).status).toBe(418);
    expect((await ask('GET', '/teamfuse/')).text).toContain('Token of the gateway');
    for (const path of ['events', 'page.js', 'page.html', 'x']) {
      expect((await ask('GET', `/teamfuse/${path}`)).status).toBe(401);
    }
    for (const action of ['stop', 'resume']) {
      expect((await ask('POST', `/teamfuse/${action}`)).status).toBe(401);
    }
  });

  it.each([undefined, 'token-1'])('[GWC5] lets in who gives the token (%s)', async (token) => {
    const { page, ask, enter } = await serve(token);
    expect(page.path).toMatch(token ? /^\/teamfuse\/$/ : /^\/teamfuse\/#[\w-]{32}$/);
    for (const wrong of ['', 'token-2', 'x'.repeat(10_000)]) {
      expect((await ask('POST', '/teamfuse/login', {}, wrong)).status).toBe(401);
    }
    const given = token ?? page.path.split('#')[1] ?? '';
    const { status, headers } = await ask('POST', '/teamfuse/login', {}, given);
    expect(status).toBe(204);
    expect(headers['set-cookie']?.[0]).toMatch(/; Path=\/teamfuse\/; HttpOnly; SameSite=Strict$/);
    expect(headers['set-cookie']?.[0]).not.toContain(given);
    const cookie = await enter();
    expect((await ask('GET', '/teamfuse/', cookie)).text).toContain('id="conversations"');
    expect((await ask('GET', '/teamfuse/events', cookie)).status).toBe(200);
    expect((await ask('PUT', '/teamfuse/', cookie)).status).toBe(405);
  });

  it('[GWC6] refuses other hosts and the pages of others, also with a cookie', async () => {
    const { port, ask, enter } = await serve();
    const cookie = await enter();
    const foreign = { ...cookie, origin: 'http://evil.example' };
    expect((await ask('GET', '/teamfuse/', { ...cookie, host: 'evil.example' })).status).toBe(403);
    expect((await ask('GET', '/teamfuse/', foreign)).status).toBe(403);
    expect((await ask('POST', '/teamfuse/stop', foreign)).status).toBe(403);
    const other = { ...cookie, origin: `http://127.0.0.1:${port + 1}` };
    expect((await ask('POST', '/teamfuse/stop', other)).status).toBe(403);
    expect((await ask('POST', '/teamfuse/stop', { ...cookie, origin: 'null' })).status).toBe(403);
    const own = { ...cookie, origin: `http://127.0.0.1:${port}` };
    expect((await ask('POST', '/teamfuse/stop', own)).status).toBe(204);
  });

  it('[GWC6] loads nothing from elsewhere', async () => {
    const { ask } = await serve();
    const { headers } = await ask('GET', '/teamfuse/');
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self';/);
    expect(headers['cache-control']).toBe('no-store');
  });

  it('[GWC7] stops one conversation, and lets it pass again', async () => {
    const { page, ask, enter } = await serve();
    const breaker = new Breaker();
    page.add(breaker, 'research');
    breaker.conversation('a').observe(said(0, 'One.'));
    breaker.conversation('b').observe(said(0, 'Two.'));
    const cookie = await enter();
    expect((await ask('POST', '/teamfuse/stop?key=1', cookie)).status).toBe(204);
    expect([await admitted(breaker, 'a'), await admitted(breaker, 'b')]).toEqual([false, true]);
    expect((await ask('POST', '/teamfuse/resume?key=1', cookie)).status).toBe(204);
    expect(await admitted(breaker, 'a')).toBe(true);
    for (const key of ['3', '', 'x', '__proto__']) {
      expect((await ask('POST', `/teamfuse/stop?key=${key}`, cookie)).status).toBe(404);
    }
  });

  it('[GWC7] stops all conversations of all teams, also those to come, and resumes them', async () => {
    const { page, ask, enter } = await serve();
    const breakers = [new Breaker(), new Breaker()] as const;
    for (const [i, breaker] of breakers.entries()) page.add(breaker, `team ${i}`);
    breakers[0].conversation('a').observe(said(0, 'One.'));
    const cookie = await enter();
    await ask('POST', '/teamfuse/stop', cookie);
    expect(await admitted(breakers[0], 'a')).toBe(false);
    expect(await admitted(breakers[1], 'new')).toBe(false);
    await ask('POST', '/teamfuse/resume', cookie);
    expect(await admitted(breakers[0], 'a')).toBe(true);
    expect(await admitted(breakers[1], 'new')).toBe(true);
  });

  it('[GWC8] shows the team, what may be spent and that a conversation began while all were stopped', async () => {
    const { page, port, ask, enter } = await serve();
    const breaker = new Breaker({ budget: { maxUsd: 6, perUser: { maxTokens: 100 } } });
    page.add(breaker, 'research');
    const cookie = await enter();
    await ask('POST', '/teamfuse/stop', cookie);
    const one = breaker.conversation('a');
    one.admit({ kind: 'model-request', agent: 'writer', model: 'm', user: 'ann', requestId: '1' });
    one.observe(said(0, 'One.'));
    const response = await fetch(`http://127.0.0.1:${port}/teamfuse/events`, { headers: cookie });
    const events = eventsIn(response);
    expect((await events.next()).value?.data).toMatchObject([
      {
        team: 'research',
        trip: { kind: 'manual' },
        purses: [{ owner: 'all', unit: 'nanoUsd', spent: 0, most: 6e9 }],
      },
    ]);
    expect((await events.next()).value?.data).toMatchObject({ control: { isHalted: true } });
    await events.return(undefined);
  });

  it('[GWC7] shows that another gateway has stopped all, and that it has resumed them', async () => {
    const circuits = shared(new MemoryCircuitStore());
    const [one, other] = [await serve(), await serve()];
    for (const { page } of [one, other]) page.add(new Breaker({ circuits }), 'research');
    const [cookie, headers] = [await one.enter(), await other.enter()];
    const response = await fetch(`http://127.0.0.1:${other.port}/teamfuse/events`, { headers });
    const seen: boolean[] = [];
    for await (const { name, data } of eventsIn(response)) {
      if (name !== 'totals') continue;
      seen.push(Object(data).control.isHalted);
      if (seen.length === 3) break;
      await one.ask('POST', `/teamfuse/${seen.length === 1 ? 'stop' : 'resume'}`, cookie);
    }
    expect(seen).toEqual([false, true, false]);
  });
});
