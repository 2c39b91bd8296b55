import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { auditTime, type Observable } from '../vendor/streams.ts';
import type { Board } from './board.ts';
import { EventClients } from './event-clients.ts';

const INTERVAL_MS = 100;
const FILES: Readonly<Record<string, readonly [file: string, type: string]>> = {
  '': ['page.html', 'text/html'],
  'page.css': ['page.css', 'text/css'],
  'page.js': ['page.js', 'text/javascript'],
  'login.html': ['login.html', 'text/html'],
  'login.js': ['login.js', 'text/javascript'],
};
const HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'cross-origin-resource-policy': 'same-origin',
};

interface PageFile {
  readonly type: string;
  readonly content: Buffer;
}

/** The page of a board, and what has changed in it, ten times a second at most. Whoever serves it decides who gets in. */
export class BoardPages {
  readonly #board: Board;
  readonly #clients = new EventClients();
  /** Read once: they may be replaced on disk, or removed, while the program runs. */
  readonly #files: ReadonlyMap<string, PageFile> = new Map(
    Object.entries(FILES).map(([name, [file, type]]) => {
      return [name, { type, content: readFileSync(new URL(`./page/${file}`, import.meta.url)) }];
    }),
  );
  readonly #ended: () => void;

  constructor(board: Board, changes: Observable<unknown>) {
    this.#board = board;
    const subscription = changes.pipe(auditTime(INTERVAL_MS)).subscribe(() => {
      this.#clients.send(board.takeChanged(), board.totals);
    });
    this.#ended = () => subscription.unsubscribe();
  }

  /** Answers with a part of the page. */
  answer(response: ServerResponse, name: string): void {
    if (name === 'events') {
      if (!this.#clients.add(response, this.#board.all(), this.#board.totals))
        refuse(response, 503, 'too many pages are open');
      return;
    }
    const file = this.#files.get(name);
    if (file === undefined) refuse(response, 404, 'not found');
    else response.setHeader('content-type', `${file.type}; charset=utf-8`).end(file.content);
  }

  close(): void {
    this.#ended();
    this.#clients.close();
  }
}

/** Has browsers load nothing from elsewhere, and neither frame nor keep what they get. */
export function protect(response: ServerResponse): void {
  for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
}

export function refuse(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(`${text}\n`);
}
