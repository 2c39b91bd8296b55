import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TripNotification } from '../../src/index.ts';
import type { SlackMessage } from '../../src/slack-message.ts';

/** A request that came. */
export interface Received {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** How a request is answered. One that is not answered stays open. */
export type Answer = (response: ServerResponse) => void;

/** An answer with a status. */
export const status =
  (code: number, headers: Readonly<Record<string, string>> = {}): Answer =>
  (response) =>
    void response.writeHead(code, headers).end('noted');

/** Never answers. */
export const silence: Answer = () => {};

/** A server on this machine that notes what comes. The first request gets the first answer, and those beyond the last one 200. */
export class Hook {
  readonly received: Received[] = [];
  readonly #server: Server;

  private constructor(answers: readonly Answer[]) {
    this.#server = createServer((request, response) => {
      void textOf(request).then((text) => {
        const { method, url: path } = request;
        const headers = request.headers as Record<string, string>;
        this.received.push({ method, path, headers, text });
        (answers[this.received.length - 1] ?? status(200))(response);
      });
    });
  }

  static async open(answers: readonly Answer[] = []): Promise<Hook> {
    const hook = new Hook(answers);
    await new Promise<void>((resolve) => hook.#server.listen(0, '127.0.0.1', resolve));
    return hook;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/s3cret-path`;
  }

  /** The bodies that came, in whichever form. */
  get bodies(): readonly (TripNotification & SlackMessage)[] {
    return this.received.map(({ text }) => JSON.parse(text));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  return text;
}
