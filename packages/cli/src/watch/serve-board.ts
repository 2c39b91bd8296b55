import { randomBytes, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { InvalidOptionError } from '@teamfuse/core';
import { auditTime, type Observable } from '../vendor/streams.ts';
import type { Board } from './board.ts';
import { EventClients } from './event-clients.ts';

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
const INTERVAL_MS = 100;
const FILES: Readonly<Record<string, readonly [file: string, type: string]>> = {
  '': ['page.html', 'text/html'],
  'page.css': ['page.css', 'text/css'],
  'page.js': ['page.js', 'text/javascript'],
};
const HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'cross-origin-resource-policy': 'same-origin',
};

/** Serves a board on this machine, and sends what has changed in it, ten times a second at most. */
export async function serveBoard(
  board: Board,
  changes: Observable<unknown>,
  { port, isDetached }: ServeOptions,
): Promise<ServedBoard> {
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new InvalidOptionError('port', 'a port from 0 to 65535', port);
  }
  const token = randomBytes(24).toString('base64url');
  const clients = new EventClients();
  const server = createServer((request, response) => {
    for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
    const name = nameOf(request, token);
    if (name === undefined) refuse(response, 404, 'not found');
    else if (name === 'events') {
      if (!clients.add(response, board.all(), board.totals))
        refuse(response, 503, 'too many pages are open');
    } else sendFile(response, name);
  });
  server.on('connection', (socket) => isDetached && socket.unref());
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, HOST, resolve);
  });
  if (isDetached) server.unref();
  const subscription = changes.pipe(auditTime(INTERVAL_MS)).subscribe(() => {
    clients.send(board.takeChanged(), board.totals);
  });
  const url = `http://${HOST}:${(server.address() as AddressInfo).port}/${token}/`;
  const close = async (): Promise<void> => {
    subscription.unsubscribe();
    clients.close();
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
  const isKnown = name === 'events' || (name !== undefined && Object.hasOwn(FILES, name));
  return isAllowed && isKnown ? name : undefined;
}

function isSame(given: string, token: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(token)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function sendFile(response: ServerResponse, name: string): void {
  const [file, type] = FILES[name] as readonly [string, string];
  response.setHeader('content-type', `${type}; charset=utf-8`);
  response.end(readFileSync(new URL(`./page/${file}`, import.meta.url)));
}

function refuse(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(`${text}\n`);
}
