import type { JsonValue } from '../json.ts';
import { isSecretField, REDACTED, withoutSecrets } from './secrets.ts';

/**
 * Applies {@link redactSecrets} to all texts in a JSON value, the names of its fields included. A text in a field that is
 * named like a secret is replaced whole.
 *
 * @example
 * ```ts
 * redactJson({ user: 'bob', password: 'hunter2' }); // => { user: 'bob', password: '[redacted]' }
 * ```
 */
export function redactJson<T>(value: T): T {
  return mapTexts(value as JsonValue, withoutSecrets, true) as T;
}

/** A copy with each text replaced; where `hidesFields`, one in a field that is named like a secret goes whole. @internal */
export function mapTexts(
  value: JsonValue,
  replaced: (text: string) => string,
  hidesFields: boolean,
  field = '',
): JsonValue {
  if (typeof value === 'string') {
    return hidesFields && isSecretField(field) ? REDACTED : replaced(value);
  }
  if (typeof value !== 'object' || value === null) return value;
  if (isList(value)) return value.map((item) => mapTexts(item, replaced, hidesFields, field));
  const entries = Object.entries(value).map(([name, item]) => [
    replaced(name),
    mapTexts(item, replaced, hidesFields, name),
  ]);
  return Object.fromEntries(entries) as JsonValue;
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
