import { textOf } from '../options.ts';
import { withoutSecrets } from './secrets.ts';

/**
 * Puts `[redacted]` in the place of what looks like a secret: keys of the large providers, bearer tokens, JSON Web
 * Tokens, passwords in URLs and in pairs such as `password=…`, and private keys. The rest stays as it is.
 *
 * A secret is known by its form or by the name beside it; any other is not found. Takes time in proportion to the length
 * of the text, whatever it is.
 *
 * @throws {@link InvalidOptionError} if it is no text.
 * @example
 * ```ts
 * redactSecrets('postgres://app:hunter2@db/orders'); // => 'postgres://app:[redacted]@db/orders'
 * ```
 */
export function redactSecrets(text: string): string {
  return withoutSecrets(textOf('text', text));
}
