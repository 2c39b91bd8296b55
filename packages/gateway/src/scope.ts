import { randomUUID } from 'node:crypto';
import { KEY_HEADERS, sha256 } from './caller-key.ts';

const LENGTH = 12;

/**
 * Tells callers apart by their keys, so that conversations of different keys never meet. What it gives says nothing about a
 * key: it differs from process to process.
 */
export class Scopes {
  readonly #salt = randomUUID();

  of(headers: Headers): string {
    const keys = KEY_HEADERS.map((name) => headers.get(name) ?? '').join('\n');
    return `${sha256(`${this.#salt}\n${keys}`).slice(0, LENGTH)}/`;
  }
}
