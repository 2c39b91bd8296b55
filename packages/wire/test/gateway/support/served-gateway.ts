import { once } from 'node:events';
import {
  type ClientRequest,
  createServer,
  type IncomingMessage,
  type RequestListener,
  type RequestOptions,
  request,
  type Server,
} from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { serve } from '@hono/node-server';
import { Breaker, type Signal } from '@teamfuse/core';
import { createGateway, type GatewayOptions } from '../../../src/gateway/index.ts';

type Usage = Extract<Signal, { readonly kind: 'usage' }>;

/** A gateway on a real server, before a real upstream. */
export class ServedGateway implements AsyncDisposable {
  readonly breaker: Breaker = new Breaker();
  readonly usages: Usage[] = [];
  /** What the guard reported as its own failures. */
  readonly errors: unknown[] = [];
  readonly #upstream: Server;
  readonly #server: Server;

  private constructor(upstream: Server, options: Partial<GatewayOptions>) {
    this.#upstream = upstream;
    this.breaker.on('signal', ({ signal }) => {
      if (signal.kind === 'usage') this.usages.push(signal);
    });
    const { fetch } = createGateway({
      upstream: addressOf(upstream),
      breaker: this.breaker,
      onError: (error) => this.errors.push(error),
      ...options,
    });
    this.#server = serve({ fetch, port: 0, hostname: '127.0.0.1' }) as Server;
  }

  /** `listener` answers as the upstream. */
  static async start(
    listener: RequestListener,
    options: Partial<GatewayOptions> = {},
  ): Promise<ServedGateway> {
    const upstream = createServer(listener);
    // A busy machine may read a large request for longer than a server keeps an idle connection.
    upstream.keepAliveTimeout = 0;
    await once(upstream.listen(0, '127.0.0.1'), 'listening');
    const served = new ServedGateway(upstream, options);
    if (!served.#server.listening) await once(served.#server, 'listening');
    return served;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const server of [this.#server, this.#upstream]) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  }

  get url(): string {
    return addressOf(this.#server);
  }

  get upstream(): string {
    return addressOf(this.#upstream);
  }

  /** Begins a request, whose body the caller sends. */
  begin(path: string = CHAT, options: RequestOptions = {}): ClientRequest {
    return request(this.url + path, { method: 'POST', ...options });
  }

  /** Makes a request and reads its answer. */
  async ask(
    body: unknown = ASKED,
    options: RequestOptions = {},
    path: string = CHAT,
  ): Promise<Answer> {
    const sent = this.begin(path, options);
    sent.end(typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body));
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    return { response, ...(await readingOf(response)) };
  }

  /** A connection on which anything can be said. */
  async connection(): Promise<Socket> {
    const socket = connect((this.#server.address() as AddressInfo).port, '127.0.0.1');
    await once(socket, 'connect');
    return socket;
  }
}

export const CHAT = '/v1/chat/completions';
export const ASKED: { readonly model: string; readonly messages: readonly object[] } = {
  model: 'gpt-4o-mini',
  messages: [{ role: 'user', content: 'A poem.' }],
};

/** An answer as it arrived. */
export interface Answer {
  readonly response: IncomingMessage;
  readonly text: string;
  readonly isCut: boolean;
}

/** The text of an answer as far as it came, and whether it broke off. */
export async function readingOf(
  response: IncomingMessage,
): Promise<{ readonly text: string; readonly isCut: boolean }> {
  let text = '';
  try {
    for await (const piece of response.setEncoding('utf8')) text += piece;
    return { text, isCut: false };
  } catch {
    return { text, isCut: true };
  }
}

/** A whole answer of Chat Completions. */
export function poem(text = 'Roses are red.', output = 5): string {
  const message = { role: 'assistant', content: text };
  const choices = [{ index: 0, message, finish_reason: 'stop' }];
  return JSON.stringify({ choices, usage: { prompt_tokens: 10, completion_tokens: output } });
}

function addressOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
