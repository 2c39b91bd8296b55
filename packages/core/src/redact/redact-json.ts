import type { JsonValue } from '../json.ts';
import { redactSecrets } from './redact-secrets.ts';
import { isSecretField, REDACTED } from './secrets.ts';

/**
 * {@link redactSecrets} for every text in JSON data, the names of fields included. In a field whose name says that it
 * holds a secret, such as `password`, all texts and numbers go, however deep; `[redacted]` stands in their place.
 *
 * @param redact takes the secrets out of one text.
 * @example
 * ```ts
 * redactJson({ user: 'ada', password: 'hunter2' }); // => { user: 'ada', password: '[redacted]' }
 * ```
 */
export function redactJson<T>(value: T, redact: (text: string) => string = redactSecrets): T {
  return redactValue(value as JsonValue, redact, false) as T;
}

function redactValue(
  value: JsonValue,
  redact: (text: string) => string,
  isSecret: boolean,
): JsonValue {
  if (isSecret && (typeof value === 'string' || typeof value === 'number')) return REDACTED;
  if (typeof value === 'string') return redact(value);
  if (typeof value !== 'object' || value === null) return value;
  if (isList(value)) return value.map((item) => redactValue(item, redact, isSecret));
  const entries = Object.entries(value).map(([name, item]) => [
    redact(name),
    redactValue(item, redact, isSecret || isSecretField(name)),
  ]);
  return Object.fromEntries(entries) as JsonValue;
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
