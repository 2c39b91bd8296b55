import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Breaker } from '@teamfuse/core';
import { Subject } from '../vendor/streams.ts';
import { Board } from '../watch/board.ts';
import { BoardPages, protect, refuse } from '../watch/board-pages.ts';
import { putOnBoard } from '../watch/put-on-board.ts';
import { PageAccess } from './page-access.ts';

const PATH = '/teamfuse';
/** What anybody may load: it shows nothing. */
const OPEN = ['page.css', 'login.js'];
const REASON = 'stopped on the page of the gateway';
const MAX_TOKEN = 4_096;

/** A page on the port of a gateway that shows its conversations, and stops and resumes them. */
export class LivePage {
  readonly #board = new Board();
  readonly #changes: Subject<unknown> = new Subject();
  readonly #pages = new BoardPages(this.#board, this.#changes);
  readonly #breakers: Breaker[] = [];
  readonly #access: PageAccess;

  constructor(token: string | undefined) {
    this.#access = new PageAccess(token);
    this.#board.control = () => ({ isHalted: this.#isHalted });
  }

  /** Where it is, on the gateway. */
  get path(): string {
    return `${PATH}/${this.#access.fragment}`;
  }

  /** Shows a breaker, too. */
  add(breaker: Breaker, team: string): void {
    this.#breakers.push(breaker);
    putOnBoard({ breaker, number: this.#breakers.length, team }, this.#board).subscribe(
      this.#changes,
    );
  }

  /** Answers what is asked of the page; `undefined` for anything else. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<void> | undefined {
    const [pathname = '', query] = (request.url ?? '').split('?', 2);
    const isOfPage = pathname === PATH || pathname.startsWith(`${PATH}/`);
    return isOfPage ? this.#answer(request, response, pathname, query) : undefined;
  }

  close(): void {
    this.#pages.close();
  }

  async #answer(
    request: IncomingMessage,
    response: ServerResponse,
    pathname: string,
    query: string | undefined,
  ): Promise<void> {
    protect(response);
    const name = pathname.slice(PATH.length + 1);
    if (!this.#access.isOurs(request)) refuse(response, 403, 'not let in');
    else if (pathname === PATH) response.writeHead(308, { location: `${PATH}/` }).end();
    else if (request.method === 'POST')
      await this.#post(request, response, name, new URLSearchParams(query));
    else if (request.method !== 'GET') refuse(response, 405, 'GET or POST');
    else if (OPEN.includes(name) || this.#access.isIn(request)) this.#pages.answer(response, name);
    else if (name === '') this.#pages.answer(response, 'login.html');
    else refuse(response, 401, 'the session is over');
  }

  async #post(
    request: IncomingMessage,
    response: ServerResponse,
    name: string,
    query: URLSearchParams,
  ): Promise<void> {
    if (name === 'login') await this.#enter(request, response);
    else if (!this.#access.isIn(request)) refuse(response, 401, 'the session is over');
    else if (name !== 'stop' && name !== 'resume') refuse(response, 404, 'not found');
    else if (this.#order(name, query.get('key'))) response.writeHead(204).end();
    else refuse(response, 404, 'the conversation is over');
  }

  async #enter(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const given = await textOf(request);
    const cookie = given === undefined ? undefined : this.#access.cookieFor(request, given);
    if (cookie === undefined) refuse(response, 401, 'this is not the token');
    else response.writeHead(204, { 'set-cookie': cookie }).end();
  }

  /** Whether all conversations are stopped, by this page or by that of another gateway that shares their circuits. */
  get #isHalted(): boolean {
    return this.#breakers.every((breaker) => breaker.conversation().trip?.kind === 'manual');
  }

  /** Stops or resumes one conversation, or all without a key. Returns whether there is any. */
  #order(action: 'stop' | 'resume', key: string | null): boolean {
    const one = key === null ? undefined : this.#board.live(Number(key));
    if (key !== null && one === undefined) return false;
    for (const each of one === undefined ? this.#breakers : [one]) {
      if (action === 'stop') each.stop(REASON);
      else each.reset();
    }
    this.#changes.next(undefined);
    return true;
  }
}

/** The short text that was sent; `undefined` for a long one, or one that broke off. */
async function textOf(request: IncomingMessage): Promise<string | undefined> {
  let text = '';
  try {
    for await (const chunk of request.setEncoding('utf8')) {
      text += chunk;
      if (text.length > MAX_TOKEN) return undefined;
    }
    return text;
  } catch {
    return undefined;
  }
}
