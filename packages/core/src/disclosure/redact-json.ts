import { InvalidOptionError } from '../common/errors.ts';
import { isArray, type JsonValue } from '../common/json.ts';
import { functionOf, orInvalid } from '../common/options.ts';
import { isSecretField, isSecretIn, REDACTED } from '../secrets/pairs.ts';
import { redactSecrets } from './redact-secrets.ts';

/**
 * Applies {@link redactSecrets} to every text in JSON data, including names of fields. In a field whose name indicates a
 * secret, such as `password`, all texts and numbers become `[redacted]`, at any depth.
 *
 * @param redact removes the secrets from one text.
 * @throws {@link InvalidOptionError} if `value` is not JSON data of at most 1,000 levels, or `redact` not a function.
 * @example
 * ```ts
 * redactJson({ user: 'ada', password: 'hunter2' }); // => { user: 'ada', password: '[redacted]' }
 * ```
 */
export function redactJson<T>(value: T, redact: (text: string) => string = redactSecrets): T {
  return redactValue(value as JsonValue, functionOf('redact', redact), false, 0) as T;
}

/** Deeper data would exhaust the stack. */
const MAX_DEPTH = 1000;
const EXPECTED = `JSON data of at most ${MAX_DEPTH} levels`;

function redactValue(
  value: JsonValue,
  redact: (text: string) => string,
  isSecret: boolean,
  depth: number,
): JsonValue {
  if (isSecret && (typeof value === 'string' || typeof value === 'number')) return REDACTED;
  if (typeof value === 'string') return redact(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > MAX_DEPTH) throw new InvalidOptionError('value', EXPECTED, value);
  const items = orInvalid('value', EXPECTED, value, () =>
    isArray(value) ? [...value] : undefined,
  );
  if (items !== undefined) {
    return items.map((item) => redactValue(item as JsonValue, redact, isSecret, depth + 1));
  }
  const fields = orInvalid('value', EXPECTED, value, () => Object.entries(value));
  const entries = fields.map(([name, item]) => {
    const isPlain = typeof item === 'string' || typeof item === 'number';
    const hides = isSecret || isSecretField(name) || (isPlain && isSecretIn(name, item));
    return [redact(name), redactValue(item, redact, hides, depth + 1)];
  });
  return Object.fromEntries(entries) as JsonValue;
}
