import { textOf } from '../common/options.ts';
import { withoutSecrets } from '../secrets/without-secrets.ts';

/**
 * Replaces what looks like a secret with `[redacted]`: keys of the large providers, bearer tokens, JSON Web Tokens, passwords
 * in URLs and in pairs such as `password=…`, and private keys.
 *
 * Secrets are recognized by their form or by the name next to them; others are not found. Takes linear time on any text.
 *
 * @throws {@link InvalidOptionError} if it is not a text.
 * @example
 * ```ts
 * redactSecrets('postgres://app:hunter2@db/orders'); // => 'postgres://app:[redacted]@db/orders'
 * ```
 */
export function redactSecrets(text: string): string {
  return withoutSecrets(textOf('text', text));
}
