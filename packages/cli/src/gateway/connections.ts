import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The connections of a server, to end them. Node itself keeps those on which nothing was asked yet, and those on which is asked again at once. */
export class Connections {
  readonly #open = new Set<Socket>();
  readonly #underWay = new Set<ServerResponse>();
  #isEnding = false;

  constructor(server: Server) {
    server.on('connection', (socket: Socket) => {
      this.#open.add(socket);
      socket.once('close', () => this.#open.delete(socket));
    });
    server.prependListener('request', (_: IncomingMessage, response: ServerResponse) => {
      this.#underWay.add(response);
      if (this.#isEnding) makeLast(response);
      response.once('close', () => {
        this.#underWay.delete(response);
        if (this.#isEnding) this.#endIdle();
      });
    });
  }

  /** Ends each connection as soon as no answer is under way on it. */
  end(): void {
    this.#isEnding = true;
    this.#underWay.forEach(makeLast);
    this.#endIdle();
  }

  #endIdle(): void {
    const busy = new Set(Array.from(this.#underWay, ({ req }) => req.socket));
    for (const socket of this.#open) if (!busy.has(socket)) socket.destroy();
  }
}

/** Tells the caller to ask for nothing more on this connection. */
function makeLast(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('connection', 'close');
}
