import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { guard, isTripped } from '../../src/index.ts';
import { askedOf } from '../../src/kit.ts';

type ArgsOf = (call: number) => unknown[];

const CALLS = 9;

/** How many of nine calls run whose results are all the same. */
function runs(argsOf: ArgsOf): number {
  let made = 0;
  const ask = guard((..._args: unknown[]) => {
    made++;
    return 'same';
  });
  for (let call = 0; call < CALLS; call++) {
    try {
      ask(...argsOf(call));
    } catch (error) {
      if (!isTripped(error)) throw error;
    }
  }
  return made;
}

const signal = (): AbortSignal => new AbortController().signal;
const SAME = signal();

/** A client that keeps to itself what it holds. */
class Client {
  readonly #calls: number[] = [];
  get(url: string): number {
    return this.#calls.push(url.length);
  }
}
const CLIENT = new Client();

class Money {
  readonly #amount: number;
  constructor(amount: number) {
    this.#amount = amount;
  }
  toString(): string {
    return `${this.#amount}`;
  }
}

class Size {
  readonly width: number;
  constructor(width: number) {
    this.width = width;
  }
}

function form(name: string): FormData {
  const data = new FormData();
  data.set('name', name);
  return data;
}

describe('what a call asks', () => {
  it.each<[string, ArgsOf]>([
    ['the same signal', () => ['tides', SAME]],
    ['a signal of its own', () => ['tides', signal()]],
    ['a time-out in options', () => ['tides', { signal: AbortSignal.timeout(60_000), page: 1 }]],
    ['a signal in the only options', () => [{ q: 'tides', signal: signal() }]],
    ['a controller', () => ['tides', { controller: new AbortController() }]],
    ['a callback of its own', (call) => ['tides', () => call]],
    [
      'callbacks in options',
      (call) => ['tides', { onData: () => call, on: [() => call], page: 1 }],
    ],
    ['the same client', () => ['tides', CLIENT]],
    ['a client in options', () => ['tides', { client: CLIENT, retries: 2 }]],
    ['a symbol', () => ['tides', { [Symbol('trace')]: {}, page: Symbol('page') }]],
    ['a map of the same', () => ['tides', new Map([['page', 1]])]],
    ['headers of the same', () => ['tides', { headers: new Headers({ accept: 'text/html' }) }]],
    ['a form of the same', () => ['tides', { method: 'POST', body: form('ann') }]],
    ['a request of the same', () => [new Request('http://localhost/', { signal: signal() })]],
  ])('[GFN21] is the same with %s', (_, argsOf) => {
    expect(runs(argsOf)).toBe(2);
  });

  it.each<[string, ArgsOf]>([
    ['another argument', (call) => ['tides', call, SAME]],
    ['another body', (call) => ['/', { method: 'POST', body: `{"id":${call}}`, signal: signal() }]],
    ['another method', (call) => ['/', { method: `M${call}`, signal: SAME }]],
    ['another header', (call) => ['/', { headers: { range: `bytes=${call}-` }, signal: SAME }]],
    ['other headers', (call) => ['/', { headers: new Headers({ range: `${call}` }) }]],
    ['another form', (call) => ['/', { method: 'POST', body: form(`${call}`), signal: SAME }]],
    ['a map with other entries', (call) => ['tides', new Map([['page', call]])]],
    ['another request', (call) => [new Request(`http://localhost/${call}`)]],
    [
      'a request with a body',
      () => [new Request('http://localhost/', { method: 'POST', body: '' })],
    ],
    ['another page beside a callback', (call) => ['tides', { onData: () => call, page: call }]],
    ['another object that hides what it holds', (call) => ['ann', new Money(call)]],
    ['another object with fields', (call) => ['door', new Size(call), SAME]],
    ['a stream', () => ['file', new ReadableStream()]],
    ['a generator', () => ['file', [1].values()]],
    ['a function that is all there is', () => [() => CLIENT]],
    ['an object that hides what it holds and is all there is', () => [CLIENT]],
  ])('[GFN21] is another one with %s', (_, argsOf) => {
    expect(runs(argsOf)).toBe(CALLS);
  });

  it('[GFN21] is another one where the code of a callback is another one', () => {
    const steps = [() => 'build', () => 'test', () => 'deploy'];
    expect(runs((call) => ['step', steps[0], call])).toBe(CALLS);
    expect(runs((call) => ['step', steps[call % 3]])).toBe(CALLS - 1);
  });

  it('[GFN21] is read from whatever comes', () => {
    const trap = new Proxy(
      {},
      {
        ownKeys() {
          throw new Error('no keys');
        },
      },
    );
    expect(() => askedOf(['a', trap])).not.toThrow();
    expect(askedOf([])).toEqual([]);
    expect(askedOf(['a', undefined, { b: undefined }])).toEqual(['a', null, {}]);
  });
});

/** The context of a run of the OpenAI Agents SDK. */
class RunContext {
  readonly context: object = {};
  readonly usage: { readonly inputTokens: number };
  constructor(inputTokens: number) {
    this.usage = { inputTokens };
  }
}

/** The callbacks that LangChain gives to a tool. */
class CallbackManager {
  readonly handlers: readonly unknown[] = [];
  readonly runId: string;
  readonly _parentRunId: string | undefined;
  constructor(runId: string) {
    this.runId = runId;
    this._parentRunId = undefined;
  }
  getChild(): CallbackManager {
    return new CallbackManager(this.runId);
  }
}

const ASKED = { q: 'tides' };
const idOf = (call: number): string => `call_${call}f3a`;
const messagesOf = (call: number) =>
  Array.from({ length: call + 1 }, (_, at) => ({ role: 'user', content: `turn ${at}` }));
const callOf = (call: number) => ({ name: 'look', args: ASKED, id: idOf(call), type: 'tool_call' });

describe('what a host tells a tool of its call', () => {
  it.each<[string, (asked: unknown, call: number) => unknown[]]>([
    [
      'the AI SDK',
      (asked, call) => [
        asked,
        {
          toolCallId: idOf(call),
          messages: messagesOf(call),
          abortSignal: undefined,
          experimental_context: { step: call },
        },
      ],
    ],
    [
      'the AI SDK with a signal',
      (asked, call) => [asked, { toolCallId: idOf(call), messages: [], abortSignal: signal() }],
    ],
    [
      'LangChain',
      (asked, call) => [
        asked,
        new CallbackManager(idOf(call)),
        {
          metadata: { langgraph_step: call },
          configurable: { thread_id: '1' },
          signal: signal(),
          toolCall: callOf(call),
        },
      ],
    ],
    [
      'LangChain, called by hand with callbacks',
      (asked, call) => [asked, { tags: [], callbacks: new CallbackManager(idOf(call)) }],
    ],
    [
      'Mastra',
      (asked, call) => [
        asked,
        {
          runId: idOf(call),
          writer: new WritableStream(),
          agent: { toolCallId: idOf(call), messages: messagesOf(call), suspend: () => {} },
        },
      ],
    ],
    [
      'the OpenAI Agents SDK',
      (asked, call) => [
        asked,
        new RunContext(call),
        { toolCall: { type: 'function_call', callId: idOf(call), name: 'look' } },
      ],
    ],
    [
      "Anthropic's tools",
      (asked, call) => [asked, { toolUse: { ...callOf(call), input: asked }, signal: signal() }],
    ],
    [
      'version 1 of MCP',
      (asked, call) => [
        asked,
        {
          signal: signal(),
          requestId: call,
          _meta: { progressToken: call },
          sendNotification: async () => {},
        },
      ],
    ],
    [
      'version 2 of MCP',
      (asked, call) => [
        asked,
        { mcpReq: { id: call, method: 'tools/call', signal: signal(), notify: async () => {} } },
      ],
    ],
    ['AutoGen 0.4', (asked, call) => [asked, { callId: idOf(call), signal: signal() }]],
  ])('[GFN22] is no part of what is asked: %s', (_, argsOf) => {
    expect(runs((call) => argsOf(ASKED, call))).toBe(2);
    expect(runs((call) => argsOf({ q: `tides ${call}` }, call))).toBe(CALLS);
  });

  it('[GFN22] is no part of what is asked where nothing else is passed, as by MCP', () => {
    const extra = (call: number) => ({ requestId: call, sendNotification: async () => {} });
    expect(runs((call) => [{ ...extra(call), signal: signal() }])).toBe(2);
    expect(runs((call) => [{ mcpReq: { id: call, signal: signal() } }])).toBe(2);
  });

  it('[GFN22] leaves the other arguments in', () => {
    const options = (call: number) => ({ toolCallId: idOf(call), messages: messagesOf(call) });
    expect(runs((call) => ['tides', 1, options(call)])).toBe(2);
    expect(runs((call) => ['tides', call, options(call)])).toBe(CALLS);
    expect(runs((call) => ['tides', new Date(call), options(call)])).toBe(CALLS);
    expect(runs((call) => ['tides', { page: call }, options(call)])).toBe(CALLS);
    expect(runs((call) => ['tides', { callId: 'a', page: call, signal: signal() }])).toBe(CALLS);
  });

  it('[GFN22] is told by a call that repeats what is asked, without a signal', () => {
    expect(runs((call) => [ASKED, { recursionLimit: 25, toolCall: callOf(call) }])).toBe(2);
    expect(runs((call) => ['log', { toolCall: callOf(call), output: 'blue' }])).toBe(CALLS);
  });

  it.each<[string, ArgsOf]>([
    ['the id of a call', (call) => ['approve', { toolCallId: idOf(call) }]],
    ['the id of a call in the first argument', (call) => [{ toolCallId: idOf(call), ok: true }]],
    ['a call to be approved', (call) => ['approve', { toolCall: { ...callOf(call), args: {} } }]],
    ['the id of a request', (call) => ['cancel', { requestId: call }]],
    ['the id of a request, first', (call) => [{ requestId: call, signal: signal() }]],
    ['the id of a phone call', (call) => ['hang up', { callId: idOf(call) }]],
    ['the id of a run', (call) => ['resume', { runId: idOf(call), signal: signal() }]],
    ['messages', (call) => ['gpt-4o', { messages: messagesOf(call), signal: signal() }]],
  ])('[GFN22] is data elsewhere: %s', (_, argsOf) => {
    expect(runs(argsOf)).toBe(CALLS);
  });

  it('[GFN15] is left to a declared signature', () => {
    const asked: unknown[][] = [];
    const ask = guard((..._args: unknown[]) => 'same', {
      signature: (...args) => {
        asked.push(args);
        return 'one';
      },
    });
    const options = { toolCallId: 'call_1', messages: [], abortSignal: SAME };
    ask('a', options);
    ask('b', options);
    expect(() => ask('c', options)).toThrow('for the third time');
    expect(asked[0]).toEqual(['a', options]);
  });
});

describe('a guarded fetch as it is called', () => {
  const seen: string[] = [];
  let server: Server;
  let base = '';

  beforeAll(async () => {
    server = createServer((request, response) => {
      request.resume().on('end', () => {
        seen.push(request.url ?? '');
        const status = Number(request.url?.split('/')[1]);
        response.writeHead(status).end(`retry in ${seen.length * 7} s`);
      });
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  afterAll(() => {
    server.close();
  });

  /** How many requests of nine reach the server. */
  async function sent(requestOf: (call: number) => Parameters<typeof fetch>): Promise<number> {
    const before = seen.length;
    const get = guard(fetch, { now: () => 0 });
    for (let call = 0; call < CALLS; call++) {
      try {
        await (await get(...requestOf(call))).text();
      } catch (error) {
        if (!isTripped(error)) throw error;
      }
    }
    return seen.length - before;
  }

  const timeout = () => ({ signal: AbortSignal.timeout(60_000) });

  it.each([402, 429, 500, 503])(
    '[GFN11] sends two requests to a server that answers %i, with a time-out for each',
    async (status) => {
      expect(await sent(() => [`${base}/${status}`, timeout()])).toBe(2);
      expect(await sent(() => [new URL(`${base}/${status}`), timeout()])).toBe(2);
      expect(await sent(() => [new Request(`${base}/${status}`, timeout())])).toBe(2);
      const post = { method: 'POST', headers: { accept: 'text/plain' }, body: '{"q":1}' };
      expect(await sent(() => [`${base}/${status}`, { ...post, ...timeout() }])).toBe(2);
    },
  );

  it('[GFN11] sends every request that differs, and those whose answers succeed', async () => {
    expect(await sent((call) => [`${base}/404/${call}`, timeout()])).toBe(CALLS);
    const post = (call: number) => ({ method: 'POST', body: `{"id":${call}}`, ...timeout() });
    expect(await sent((call) => [`${base}/429`, post(call)])).toBe(CALLS);
    expect(await sent(() => [`${base}/200`, timeout()])).toBe(CALLS);
    expect(await sent((call) => [`${base}/${call < 2 ? 429 : 200}/${call >> 1}`])).toBe(CALLS);
  });
});

describe('arguments without end', () => {
  it('[GFN21] are read as they are where they are very many', () => {
    const args = Array.from({ length: 100_000 }, (_, i) => ({ i }));
    expect(askedOf(args)).toEqual(askedOf([...args]));
    expect(askedOf(args)).not.toEqual(askedOf(args.slice(1)));
  });

  it('[GFN21] are no signal where an object with abort() holds itself', () => {
    const knot: Record<string, unknown> = { abort: () => {} };
    knot.signal = knot;
    expect(() => askedOf(['a', knot])).not.toThrow();
  });
});
