import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * The connections of a server, to end them. Node itself leaves open those on which nothing has been asked yet, and those whose
 * client sends its next request at once.
 */
export class Connections {
  /** With the answers that are under way on each, in order. */
  readonly #open: Map<Socket, Set<ServerResponse>> = new Map();
  #isEnding = false;

  constructor(server: Server) {
    server.on('connection', (socket: Socket) => {
      this.#open.set(socket, new Set());
      socket.once('close', () => this.#open.delete(socket));
    });
    server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
      const underWay = this.#open.get(socket);
      underWay?.add(response);
      if (this.#isEnding) makeLast(response);
      response.once('close', () => {
        underWay?.delete(response);
        if (this.#isEnding && underWay?.size === 0) socket.destroy();
      });
    });
  }

  /** Ends each connection as soon as no answer is under way on it. */
  end(): void {
    this.#isEnding = true;
    for (const [socket, underWay] of this.#open) {
      const last = [...underWay].at(-1);
      if (last === undefined) socket.destroy();
      else makeLast(last);
    }
  }
}

/** Tells the client to ask for nothing more on this connection. */
function makeLast(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('connection', 'close');
}
