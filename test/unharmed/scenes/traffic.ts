import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { listenerOf } from '../../../packages/cli/src/gateway/listener.ts';
import { LOOPBACK, runGateway } from '../../../packages/cli/src/gateway/run-gateway.ts';
import { watch } from '../../../packages/cli/src/watch/index.ts';
import { type Breaker, MemoryBudgetStore } from '../../../packages/core/src/index.ts';
import { createGateway } from '../../../packages/wire/src/gateway/index.ts';
import { guardFetch } from '../../../packages/wire/src/index.ts';
import { ModelEndpoint } from '../../../packages/wire/test/support/model-endpoint.ts';
import type { Fault } from '../fault.ts';
import { breakerOf, heard, type Scenes, type Tell } from '../scene.ts';

const SOON_MS = 10;
/** Nobody listens there. */
const NOBODY = 'http://127.0.0.1:9';
const MB = 2 ** 20;

function asking(at: string, signal?: AbortSignal): Request {
  const messages = [{ role: 'user', content: 'Hello.' }];
  const body = JSON.stringify({ model: 'gpt-4o-mini', stream: true, messages });
  const init = { method: 'POST', body, headers: { 'content-type': 'application/json' } };
  return new Request(`${at}/v1/chat/completions`, { ...init, ...(signal && { signal }) });
}

/** A breaker whose store admits calls, and cannot book them. */
function unbooked(fault: Fault, tell: Tell): Breaker {
  const store = fault.in(new MemoryBudgetStore(), 'settle');
  return breakerOf({ budget: { maxUsd: 1, store, storeTimeoutMs: SOON_MS } }, tell);
}

/** A model whose streams break off, except for one that stands still. */
function breaking(): Promise<ModelEndpoint> {
  const text = 'High tide is at 6:18 first, and then again in the evening.';
  return ModelEndpoint.start((i) => ({
    text,
    ...(i === 3 ? { stopsAfter: 2 } : { diesAfter: 2 }),
  }));
}

/** Readers of these streams: one reads on, one leaves, one reads nothing, and one gives up while it waits. */
async function readAndLeave(at: string, send: typeof fetch, tell: Tell): Promise<void> {
  const whole = send(asking(at)).then((response) => response.text());
  await heard(whole, tell);
  const left = await send(asking(at));
  await left.body?.cancel().catch(() => {});
  await send(asking(at));
  const leaving = new AbortController();
  const given = await send(asking(at, leaving.signal));
  const reading = heard(given.text(), tell);
  leaving.abort();
  await reading;
}

/** Serves a gateway as the command does, while `work` asks it. */
async function served(
  gateway: ReturnType<typeof createGateway>,
  work: (url: string) => Promise<void>,
): Promise<void> {
  const listener = listenerOf(gateway, () => {});
  const server = createServer((request, response) => {
    listener(request, response).catch(() => response.destroy());
  }).listen(0, LOOPBACK);
  await once(server, 'listening');
  await work(`http://${LOOPBACK}:${Object(server.address()).port}`);
  server.closeAllConnections();
  server.close();
}

/** The next server that is asked something. */
function nextServer(): Promise<Server> {
  return new Promise((resolve) => {
    const asked = (message: unknown): void => {
      unsubscribe('http.server.request.start', asked);
      resolve(Object(message).server);
    };
    subscribe('http.server.request.start', asked);
  });
}

/** What fails between programs and their models, and on the pages that show it. */
export const TRAFFIC: Scenes = {
  'a fetch': {
    told: 'caller',
    play: (fault, tell) =>
      heard(
        Promise.race([
          guardFetch(breakerOf({}, tell), { fetch: fault.fail })(asking(NOBODY)),
          new Promise((_, reject) => setTimeout(reject, SOON_MS)),
        ]),
        tell,
      ),
  },
  'a fetch whose guard fails, and its onError': {
    told: 'store',
    play: async (fault, tell) => {
      const store = fault.in(new MemoryBudgetStore(), 'reserve', 'settle', 'totals');
      const breaker = breakerOf({ budget: { maxUsd: 1, store, storeTimeoutMs: SOON_MS } }, tell);
      await using endpoint = await ModelEndpoint.start(() => ({ text: 'Low tide.' }));
      const response = await guardFetch(breaker, { onError: fault.fail })(asking(endpoint.url));
      await response.text();
    },
  },
  'a body that is too long and cannot be cancelled': {
    told: '400',
    play: async (fault, tell) => {
      let chunks = 0;
      const body = new ReadableStream({
        pull: (controller) => {
          if (++chunks > 66) return new Promise(() => {});
          controller.enqueue(new Uint8Array(MB));
        },
        cancel: fault.fail,
      });
      const send = guardFetch(breakerOf({}, tell));
      const long = { method: 'POST', body, duplex: 'half' } as RequestInit;
      tell(String((await send(`${NOBODY}/v1/chat/completions`, long)).status));
    },
  },
  'streams that break off, and the store': {
    told: 'caller',
    play: async (fault, tell) => {
      await using endpoint = await breaking();
      await readAndLeave(endpoint.url, guardFetch(unbooked(fault, tell)), tell);
    },
  },
  'streams through a gateway, and the store': {
    told: 'caller',
    play: async (fault, tell) => {
      await using endpoint = await breaking();
      const gateway = createGateway({ upstream: endpoint.url, breaker: unbooked(fault, tell) });
      await served(gateway, (url) => readAndLeave(url, fetch, tell));
    },
  },
  'what a gateway needs and tells': {
    told: '502',
    play: async (fault, tell) => {
      const callbacks = { onUnreachable: fault.fail, onError: fault.fail };
      const breaker = fault.fail as object as () => Breaker;
      for (const one of [breakerOf({}, tell), breaker]) {
        const gateway = createGateway({ upstream: NOBODY, breaker: one, ...callbacks });
        const { status } = await gateway.fetch(asking(`http://${LOOPBACK}`));
        tell(`${status}`);
      }
    },
  },
  'the command gateway, its upstream and its connections': {
    told: '502',
    isOwnWay: true,
    play: async (_, tell) => {
      const printed: string[] = [];
      const { log } = console;
      console.log = (line: string) => printed.push(line);
      const job = {
        refusal: 'error',
        stopWord: 'TERMINATE',
        policy: false,
        metrics: true,
      } as const;
      const over = runGateway({ ...job, upstream: NOBODY, port: 0, host: LOOPBACK });
      while (printed.length < 3) await new Promise((resolve) => setTimeout(resolve, 1));
      console.log = log;
      const [, at = ''] = /^OPENAI_BASE_URL=(.*)\/v1$/.exec(printed[0] ?? '') ?? [];
      const asked = nextServer();
      tell(`${(await fetch(asking(at))).status}`);
      (await asked).emit('error', new Error('a connection that cannot be accepted'));
      for (const path of ['teamfuse/', 'metrics']) await (await fetch(`${at}/${path}`)).text();
      const leaving = new AbortController();
      const login = new Request(`${at}/teamfuse/login`, {
        method: 'POST',
        body: new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(10)) }),
        duplex: 'half',
        signal: leaving.signal,
      } as RequestInit);
      const left = heard(fetch(login), tell);
      setTimeout(() => leaving.abort(), SOON_MS);
      await left;
      process.emit('SIGINT');
      await over;
    },
  },
  'a page whose store and connections fail': {
    told: 'page',
    play: async (fault, tell) => {
      const store = fault.in(new MemoryBudgetStore(), 'totals', 'settle');
      const breaker = breakerOf({ budget: { maxUsd: 1, store, storeTimeoutMs: SOON_MS } }, tell);
      const page = await watch(breaker);
      breaker.observe({ kind: 'usage', agent: 'ann', model: 'm', inputTokens: 1, outputTokens: 1 });
      for (const isRead of [true, false]) {
        const asked = nextServer();
        const { body } = await fetch(`${page.url}events`);
        (await asked).emit('error', new Error('a connection that cannot be accepted'));
        const reader = body?.getReader();
        if (isRead && (await reader?.read())?.done === false) tell('page');
        await reader?.cancel();
      }
      breaker.stop('enough');
      await page.close();
    },
  },
};
