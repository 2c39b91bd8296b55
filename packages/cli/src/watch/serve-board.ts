import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { InvalidOptionError } from '@teamfuse/core';
import type { Observable } from '../vendor/streams.ts';
import type { Board } from './board.ts';
import { BoardPages, protect, refuse } from './board-pages.ts';
import { isSame } from './is-same.ts';
import { listen } from './listen.ts';

/** How a board is served. */
export interface ServeOptions {
  readonly port: number;
  /** Whether the process may end while the page is open. */
  readonly isDetached: boolean;
}

/** A page that is open. */
export interface ServedBoard {
  readonly url: string;
  close(): Promise<void>;
}

const HOST = '127.0.0.1';

/** Serves a board on this machine. */
export async function serveBoard(
  board: Board,
  changes: Observable<unknown>,
  { port, isDetached }: ServeOptions,
): Promise<ServedBoard> {
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new InvalidOptionError('port', 'a port from 0 to 65535', port);
  }
  const token = randomBytes(24).toString('base64url');
  const pages = new BoardPages(board, changes);
  const server = createServer((request, response) => {
    protect(response);
    const name = nameOf(request, token);
    if (name === undefined) refuse(response, 404, 'not found');
    else pages.answer(response, name);
  });
  server.on('connection', (socket) => isDetached && socket.unref());
  await listen(server, { port, host: HOST }, { port: 'port', host: 'host' });
  // A connection that cannot be accepted ends none of the others.
  server.on('error', () => {});
  if (isDetached) server.unref();
  const url = `http://${HOST}:${(server.address() as AddressInfo).port}/${token}/`;
  const close = async (): Promise<void> => {
    pages.close();
    await new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
  };
  return { url, close };
}

/** What is asked for, behind the token. A page of another host must not get in under its own name, so the host counts. */
function nameOf(
  { method, url = '', headers, socket }: IncomingMessage,
  token: string,
): string | undefined {
  const [, given = '', name, ...more] = (url.split('?', 1)[0] ?? '').split('/');
  const hosts = [HOST, 'localhost'].map((host) => `${host}:${socket.localPort}`);
  const isAllowed =
    method === 'GET' &&
    hosts.includes(headers.host ?? '') &&
    isSame(given, token) &&
    more.length === 0;
  return isAllowed ? name : undefined;
}
