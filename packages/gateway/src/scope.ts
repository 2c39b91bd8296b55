/** The headers in which clients send their keys. */
const KEYS = ['authorization', 'x-api-key', 'api-key'];
const LENGTH = 12;

/**
 * Tells callers apart by their keys, so that conversations of different keys never meet. What it gives says nothing about a
 * key: it differs from process to process.
 */
export class Scopes {
  readonly #salt = crypto.randomUUID();

  async of(headers: Headers): Promise<string> {
    const keys = KEYS.map((name) => headers.get(name) ?? '').join('\n');
    const bytes = new TextEncoder().encode(`${this.#salt}\n${keys}`);
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
    const hex = [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
    return `${hex.slice(0, LENGTH)}/`;
  }
}
