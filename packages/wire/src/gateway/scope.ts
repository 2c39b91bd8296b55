import { randomUUID } from 'node:crypto';
import { keysIn, sha256 } from './caller-key.ts';

const LENGTH = 12;

/**
 * Tells callers apart by their keys and their users, so that conversations of different ones never meet. What it gives says nothing
 * about a key or a user: the salt is a secret.
 */
export class Scopes {
  readonly #salt: string;

  constructor(salt: string = randomUUID()) {
    this.#salt = salt;
  }

  /** The scope of each user of a caller. */
  of(headers: Headers): (user: string | undefined) => string {
    const keys = keysIn(headers).map(([, key]) => key);
    const own = this.#digest(keys.join('\n'));
    return (user) => (user ? `${own}/${this.#digest(`${own}\n${user}`)}/` : `${own}/`);
  }

  #digest(text: string): string {
    return sha256(`${this.#salt}\n${text}`).slice(0, LENGTH);
  }
}
