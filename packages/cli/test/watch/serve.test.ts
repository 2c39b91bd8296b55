import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Breaker, type BudgetStore, MemoryBudgetStore, type Signal } from '@teamfuse/core';
import { afterEach, describe, expect, it } from 'vitest';
import { type BreakerWatch, watch } from '../../src/watch/index.ts';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const BUILT = at('../../dist/watch/index.js');
const CORE = pathToFileURL(at('../../../core/dist/index.js')).href;

const open: BreakerWatch[] = [];
afterEach(async () => {
  for (const page of open.splice(0)) await page.close();
});

async function watching(breaker: Breaker | readonly Breaker[] = new Breaker()): Promise<URL> {
  const page = await watch(breaker);
  open.push(page);
  return new URL(page.url);
}

interface Answer {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
}

/** Asks for something and ends the connection with the headers. */
function ask(
  { hostname, port }: URL,
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = request({ hostname, port, path, headers, method }, (response) => {
      resolve({ status: response.statusCode ?? 0, headers: response.headers });
      response.destroy();
    });
    asked.on('error', reject);
    asked.end();
  });
}

/** What a page is told of conversations, one event after another. */
async function* eventsOf(url: URL): AsyncGenerator<[name: string, data: unknown]> {
  const response = await fetch(new URL('events', url));
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const [, name = '', data = ''] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? [];
      if (name !== 'totals') yield [name, JSON.parse(data)];
    }
  }
}

/** A store that answers by promises, as one of a server does. */
const storeOf = (store: MemoryBudgetStore): BudgetStore => ({
  reserve: async (...call) => store.reserve(...call),
  settle: async (...call) => store.settle(...call),
  totals: async (...call) => store.totals(...call),
});

const said = (at: number, text: string): Signal => ({ kind: 'message', at, agent: 'writer', text });

describe('watch', () => {
  it('[WAT3] answers nobody without the token, of another host, or by another method', async () => {
    const url = await watching();
    expect(url.hostname).toBe('127.0.0.1');
    expect(url.pathname).toMatch(/^\/[\w-]{32}\/$/);
    const { pathname } = url;
    expect((await ask(url, pathname)).status).toBe(200);
    const refused: [string, Record<string, string>, string][] = [
      ['/', {}, 'GET'],
      ['/events', {}, 'GET'],
      [`/${'x'.repeat(32)}/events`, {}, 'GET'],
      [`${pathname}../events`, {}, 'GET'],
      [`${pathname}constructor`, {}, 'GET'],
      [`${pathname}..%2f..%2fpackage.json`, {}, 'GET'],
      [pathname, { host: 'evil.example' }, 'GET'],
      [pathname, {}, 'POST'],
    ];
    for (const [path, headers, method] of refused) {
      expect([path, (await ask(url, path, headers, method)).status]).toEqual([path, 404]);
    }
  });

  it('[WAT9] refuses an option that does not exist, naming the nearest one', async () => {
    const options = { prot: 8080 } as { port?: number };
    await expect(watch(new Breaker(), options)).rejects.toThrow(
      /'prot': .*did you mean 'port'\?\), received 8080/,
    );
  });

  it('[WAT9] refuses a port that another program has', async () => {
    const port = Number((await watching()).port);
    await expect(watch(new Breaker(), { port })).rejects.toThrow(
      `option 'port': expected a port that is free (EADDRINUSE), received ${port}`,
    );
  });

  it('[WAT3] is heard on no other address of the machine', async () => {
    const { port } = await watching();
    const error = await new Promise((resolve) => {
      connect({ host: '127.0.0.2', port: Number(port) })
        .on('error', resolve)
        .on('connect', () => resolve(undefined));
    });
    expect(error).toBeInstanceOf(Error);
  });

  it('[WAT3] lets the page load nothing from elsewhere, and nobody frame or keep it', async () => {
    const url = await watching();
    const { headers } = await ask(url, url.pathname);
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self';/);
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    });
  });

  it('[WAT2] sends all that is known first, then what changes', async () => {
    const breaker = new Breaker({ maxMessages: 2 });
    const other = new Breaker();
    const url = await watching([breaker, other]);
    breaker.observe(said(0, 'One.'));
    other.observe(said(0, 'Elsewhere.'));
    const events = eventsOf(url);
    const first = await events.next();
    expect(first.value).toMatchObject(['all', [{ id: 'main' }, { id: 'main 2' }]]);
    breaker.observe(said(1, 'Two.'));
    let seen: unknown[] = [];
    while (!JSON.stringify(seen).includes('"kind":"limit"')) {
      const { value, done } = await events.next();
      if (done) break;
      seen = value as unknown[];
    }
    const tripped = expect.objectContaining({
      id: 'main',
      trip: expect.objectContaining({ kind: 'limit' }),
    });
    expect(seen).toEqual(['changed', expect.arrayContaining([tripped])]);
    await events.return(undefined);
  });

  it('[WAT5] shows the latest conversations, agents and lines only, of bounded length', async () => {
    const breaker = new Breaker();
    const url = await watching(breaker);
    for (let i = 0; i < 80; i++) breaker.conversation(`chat ${i}`).observe(said(0, 'Hello.'));
    const chat = breaker.conversation('chat 79');
    for (let i = 0; i < 40; i++) {
      chat.observe({ ...said(i, `${i} `.repeat(5_000)), agent: `agent ${i} ${'x'.repeat(100)}` });
    }
    const events = eventsOf(url);
    const [, all] = (await events.next()).value as [string, Record<string, unknown[]>[]];
    await events.return(undefined);
    expect(all).toHaveLength(50);
    const last = all.at(-1);
    expect(last?.agents).toHaveLength(12);
    expect(last?.lines).toHaveLength(12);
    expect(JSON.stringify(last).length).toBeLessThan(8_000);
  });

  it('[WAT5] is open in 16 places at most', async () => {
    const url = await watching();
    const leaving = new AbortController();
    const { signal } = leaving;
    const statuses: number[] = [];
    for (let i = 0; i < 17; i++) {
      statuses.push((await fetch(new URL('events', url), { signal })).status);
    }
    leaving.abort();
    expect(statuses).toEqual([...Array(16).fill(200), 503]);
  });

  it('[WAT6] ends its pages when it is closed, and is not there any more', async () => {
    const breaker = new Breaker();
    const url = await watching(breaker);
    const events = eventsOf(url);
    await events.next();
    const page = open[0] as BreakerWatch;
    await page.close();
    await page.close();
    expect((await events.next().catch(() => ({ done: true }))).done).toBe(true);
    breaker.observe(said(0, 'Nobody looks.'));
    await expect(ask(url, url.pathname)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it.skipIf(!existsSync(BUILT))(
    '[WAT6] does not keep the process from ending, also with a page open (needs a build)',
    async () => {
      const program = `
        import { Breaker } from '${CORE}';
        import { watch } from '${pathToFileURL(BUILT).href}';
        console.log((await watch(new Breaker())).url);
        process.stdin.once('end', () => console.log('ends')).resume();`;
      const child = spawn(process.execPath, ['--input-type=module', '-e', program]);
      const closed = new Promise((resolve) => child.once('close', resolve));
      const lines: string[] = [];
      for await (const line of createInterface({ input: child.stdout })) {
        lines.push(line);
        if (lines.length > 1) continue;
        await fetch(`${line}events`);
        child.stdin.end();
      }
      expect([await closed, lines[1]]).toEqual([0, 'ends']);
    },
  );

  it('[WAT6] refuses a port that is none', async () => {
    await expect(watch(new Breaker(), { port: 70_000 })).rejects.toThrow("option 'port'");
  });
});

describe('what the page of a breaker is told', () => {
  const told = async (options: ConstructorParameters<typeof Breaker>[0]): Promise<string> => {
    const breaker = new Breaker({ maxMessages: 3, ...options });
    const url = await watching(breaker);
    const key = `sk-proj-${'0a1b2c3d4e5f6g7h8i9j'}`;
    const args = { note: `Kestrel ${key}` };
    for (let at = 0; at < 3; at++) {
      breaker.observe(said(at, `Kestrel has ${key}`));
      const call = { kind: 'tool-call', at, agent: 'writer', tool: `fetch-${key}` } as const;
      breaker.observe({ ...call, args, error: { message: `Kestrel: ${key}` } });
    }
    for await (const [, data] of eventsOf(url)) return JSON.stringify(data);
    return '';
  };

  it('[WAT10] quotes nobody where its excerpts are off, and still shows who spoke', async () => {
    const page = await told({ excerpts: false });
    expect(page).toContain('"speaker":"writer"');
    expect(page).toContain('"kind":"limit"');
    expect(page).not.toMatch(/Kestrel|0a1b2c|sk-/);
  });

  it('[WAT10] is redacted as the breaker redacts', async () => {
    const redact = (text: string): string => text.replaceAll('Kestrel', '[project]');
    const page = await told({ redact });
    expect(page).toContain('[project]');
    expect(page).not.toMatch(/Kestrel|0a1b2c/);
    expect(await told({})).toContain('Kestrel');
  });

  it('[WAT14] goes on where the store of the budget fails', async () => {
    const store = new MemoryBudgetStore();
    const lost = { ...storeOf(store), totals: () => Promise.reject(new Error('connection lost')) };
    const breaker = new Breaker({ budget: { maxUsd: 1, store: lost } });
    const url = await watching(breaker);
    const unhandled: unknown[] = [];
    const note = (reason: unknown): void => void unhandled.push(reason);
    process.on('unhandledRejection', note);
    breaker.observe(said(0, 'Kestrel is out at sea.'));
    for await (const [, data] of eventsOf(url)) {
      expect(data).toMatchObject([{ purses: [] }]);
      break;
    }
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', note);
    expect(unhandled).toEqual([]);
  });

  it('[WAT11] keeps conversations apart whose names begin alike', async () => {
    const breaker = new Breaker();
    const url = await watching(breaker);
    const long = 'the parade of the bicycle club through the old town on the first of May';
    for (const end of ['one', 'two']) breaker.conversation(`${long}: ${end}`).observe(said(0, end));
    for await (const [, data] of eventsOf(url)) {
      const shown = data as readonly { key: number; id: string }[];
      expect(new Set(shown.map(({ key }) => key)).size).toBe(2);
      expect(shown.map(({ id }) => id.slice(-5))).toEqual([': one', ': two']);
      expect(Math.max(...shown.map(({ id }) => id.length))).toBeLessThanOrEqual(60);
      break;
    }
  });
});
