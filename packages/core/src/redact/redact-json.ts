import type { JsonValue } from '../json.ts';
import { redactSecrets } from './redact-secrets.ts';
import { isSecretField, REDACTED } from './secrets.ts';

/**
 * {@link redactSecrets} for every text in JSON data, the names of fields included. Of a field whose name says that it
 * holds a secret, such as `password`, all text goes.
 *
 * @param redact takes the secrets out of one text.
 * @example
 * ```ts
 * redactJson({ user: 'ada', password: 'hunter2' }); // => { user: 'ada', password: '[redacted]' }
 * ```
 */
export function redactJson<T>(value: T, redact: (text: string) => string = redactSecrets): T {
  return redactField('', value as JsonValue, redact) as T;
}

function redactField(field: string, value: JsonValue, redact: (text: string) => string): JsonValue {
  if (typeof value === 'string') return isSecretField(field) ? REDACTED : redact(value);
  if (typeof value !== 'object' || value === null) return value;
  if (isList(value)) return value.map((item) => redactField(field, item, redact));
  const entries = Object.entries(value).map(([name, item]) => [
    redact(name),
    redactField(name, item, redact),
  ]);
  return Object.fromEntries(entries) as JsonValue;
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
