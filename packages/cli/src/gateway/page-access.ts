import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isSame } from '../watch/is-same.ts';
import { isOurs } from './is-ours.ts';

/** Decides who may see the live page, and who may stop conversations on it. */
export class PageAccess {
  readonly #token: string | undefined;
  /** What opens the page where the gateway has no token. */
  readonly #code: string = randomBytes(24).toString('base64url');
  /** What a browser has to send. It says nothing about the token. */
  readonly #session: string = randomBytes(24).toString('base64url');

  constructor(token: string | undefined) {
    this.#token = token;
  }

  /** What the printed address ends with: browsers send nothing behind a `#` anywhere. A token is not printed. */
  get fragment(): string {
    return this.#token === undefined ? `#${this.#code}` : '';
  }

  /** Whether a request may ask for the page at all. */
  isOurs(request: IncomingMessage): boolean {
    return isOurs(request, this.#token);
  }

  /** Whether a browser has entered. */
  isIn({ headers: { cookie = '' }, socket }: IncomingMessage): boolean {
    const name = nameAt(socket.localPort);
    const given = cookie.split('; ').filter((pair) => pair.startsWith(name));
    return given.some((pair) => isSame(pair.slice(name.length), this.#session));
  }

  /** The cookie for who gives the token; `undefined` for others. */
  cookieFor({ socket }: IncomingMessage, given: string): string | undefined {
    if (!isSame(given, this.#token ?? this.#code)) return undefined;
    const session = `${nameAt(socket.localPort)}${this.#session}`;
    return `${session}; Path=/teamfuse/; HttpOnly; SameSite=Strict`;
  }
}

/** Cookies do not tell ports apart, so that each gateway has its own. */
function nameAt(port: number | undefined): string {
  return `teamfuse_${port}=`;
}
