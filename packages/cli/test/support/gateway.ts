import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from 'vitest';
import { start } from './bin.ts';

/** A request as a model gets it. */
interface ModelRequest {
  readonly model?: string;
  readonly messages: readonly object[];
}

/** What a model says, and what it takes. */
export interface Completion {
  readonly message: object;
  readonly usage: { readonly prompt_tokens: number; readonly completion_tokens: number };
}

/** A model behind an API. */
export interface Upstream {
  readonly url: string;
  readonly server: Server;
  close(): void;
}

/** Starts a model that answers as it is told. */
export async function startModel(
  answer: (request: ModelRequest, authorization: string | undefined) => Promise<Completion>,
): Promise<Upstream> {
  const server = createServer(async (request, response) => {
    const asked = await text(request);
    const given = await answer(asked ? JSON.parse(asked) : {}, request.headers.authorization);
    const { message, usage } = given;
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }], usage }),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    server,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** A gateway in a process of its own. */
export interface StartedGateway {
  readonly child: ReturnType<typeof start>;
  /** All that it has printed so far. */
  readonly out: string;
  readonly err: string;
  /** Where it listens. */
  readonly url: string;
  /** Ends it as Ctrl-C does, and resolves to its exit code. */
  end(): Promise<number | null>;
}

/** Starts `teamfuse gateway` at a free port, and waits until it listens. */
export async function startGateway(
  upstream: string,
  args: readonly string[],
  ...where: readonly [cwd: string, env?: NodeJS.ProcessEnv, node?: string]
): Promise<StartedGateway> {
  const child = start(['gateway', '--upstream', upstream, '--port', '0', ...args], ...where);
  const printed = { out: '', err: '' };
  child.stdout.on('data', (chunk) => {
    printed.out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    printed.err += chunk;
  });
  const ended = once(child, 'close');
  await Promise.race([
    expect.poll(() => printed.out, { timeout: 60_000 }).toContain('Ctrl-C'),
    ended.then(() => expect.fail(`the gateway has ended: ${printed.err}`)),
  ]);
  return {
    child,
    get out() {
      return printed.out;
    },
    get err() {
      return printed.err;
    },
    url: /^OPENAI_BASE_URL=(\S+)\/v1$/m.exec(printed.out)?.[1] ?? '',
    end: async () => {
      child.kill('SIGINT');
      const [code] = await ended;
      return code;
    },
  };
}

/** What came of a call of a model. */
export interface Called {
  readonly status: number;
  /** Why it was refused. */
  readonly reason: string;
}

/** Sends one call through a gateway: `path` is `/v1`, or that of a team. */
export async function call(
  url: string,
  path: string,
  messages: readonly object[],
  about: Readonly<Record<string, string>> = {},
): Promise<Called & { readonly message: object | undefined }> {
  const body = JSON.stringify({ model: 'gpt-4o-mini', max_tokens: 20, messages });
  const headers = { 'content-type': 'application/json', ...about };
  const response = await fetch(`${url}${path}/chat/completions`, { method: 'POST', headers, body });
  const { choices, error } = (await response.json()) as {
    readonly choices?: readonly { readonly message: object }[];
    readonly error?: { readonly message: string };
  };
  return {
    status: response.status,
    reason: error?.message ?? '',
    message: choices?.[0]?.message,
  };
}

/** Lets an agent call the same tool for ever, until a call is refused. */
export async function loop(
  url: string,
  path: string,
  about: Readonly<Record<string, string>> = {},
): Promise<Called> {
  const messages: object[] = [{ role: 'user', content: 'Find the orders.' }];
  for (let turn = 0; turn < 12; turn++) {
    const { message, ...called } = await call(url, path, messages, about);
    if (message === undefined) return called;
    const answer = { role: 'tool', tool_call_id: 'call_1', content: 'none' };
    messages.push(message, answer);
  }
  throw new Error('nothing was refused');
}

/** What a model says that calls the same tool for ever. */
export const LOOPING: Completion = {
  message: {
    role: 'assistant',
    content: null,
    tool_calls: [
      {
        id: 'call_1',
        type: 'function',
        function: { name: 'find', arguments: '{"query":"orders"}' },
      },
    ],
  },
  usage: { prompt_tokens: 20, completion_tokens: 5 },
};
