import type { JsonValue } from '@teamfuse/core/kit';

/** A JSON object of which nothing is known. */
export type Fields = Readonly<Record<string, unknown>>;

/** The value as an object, if it is one. */
export function fieldsOf(value: unknown): Fields | undefined {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as Fields) : undefined;
}

/** The value as an array; empty if it is none. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The value as an array of objects, other members left out. */
export function recordsOf(value: unknown): readonly Fields[] {
  return listOf(value).flatMap((one): Fields[] => {
    const fields = fieldsOf(one);
    return fields === undefined ? [] : [fields];
  });
}

/** The first of the values that is text with something in it. */
export function nameIn(...values: readonly unknown[]): string | undefined {
  return values.find((value): value is string => typeof value === 'string' && value !== '');
}

/** A count as recorded; 0 if there is none. */
export function countOf(value: unknown): number {
  const count = typeof value === 'string' ? Number(value) : value;
  return Number.isSafeInteger(count) && (count as number) > 0 ? (count as number) : 0;
}

/** JSON in a text, or the text itself. */
export function parsedJson(value: unknown): JsonValue {
  if (value === undefined) return null;
  if (typeof value !== 'string') return value as JsonValue;
  try {
    return JSON.parse(value) as JsonValue;
  } catch {
    return value;
  }
}
