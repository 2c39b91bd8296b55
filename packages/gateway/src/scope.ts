import { randomUUID } from 'node:crypto';
import { KEY_HEADERS, sha256 } from './caller-key.ts';

const LENGTH = 12;

/**
 * Tells callers apart by their keys, so that conversations of different keys never meet. What it gives says nothing about a
 * key: the salt is a secret.
 */
export class Scopes {
  readonly #salt: string;

  constructor(salt: string = randomUUID()) {
    this.#salt = salt;
  }

  of(headers: Headers): string {
    const keys = KEY_HEADERS.map((name) => headers.get(name) ?? '').join('\n');
    return `${sha256(`${this.#salt}\n${keys}`).slice(0, LENGTH)}/`;
  }
}
