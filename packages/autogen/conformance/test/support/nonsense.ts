import { isObject, type Json } from '../../src/harness/json.ts';

/** The kinds of recorded values that are replaced. */
export type Kind = 'texts' | 'counts' | 'states';

/** What takes the place of a value of each kind; other values stay. */
export const KINDS: Readonly<Record<Kind, (value: Json) => Json>> = {
  texts: (value) => (typeof value === 'string' ? 'BANANA' : value),
  counts: (value) => (typeof value === 'number' ? value + 987_654 : value),
  states: (value) => (typeof value === 'boolean' || value === null ? 'BANANA' : value),
};

type Fields = { readonly [key: string]: Json };

/** A case with all recorded values of a kind replaced; `isRecorded` tells its fields from the input. */
export function allReplaced(
  vector: Fields,
  isRecorded: (field: string) => boolean,
  kind: Kind,
): Fields {
  const entries = Object.entries(vector);
  return Object.fromEntries(
    entries.map(([key, value]) => [key, isRecorded(key) ? replaced(value, KINDS[kind]) : value]),
  );
}

/** The same case once for each recorded value, with that one value replaced. */
export function* singlyReplaced(
  vector: Fields,
  isRecorded: (field: string) => boolean,
): Generator<Fields> {
  for (const [key, value] of Object.entries(vector)) {
    if (!isRecorded(key)) continue;
    for (const changed of variants(value)) yield { ...vector, [key]: changed };
  }
}

function* variants(value: Json): Generator<Json> {
  if (isObject(value)) {
    for (const [key, field] of Object.entries(value)) {
      for (const changed of variants(field)) yield { ...value, [key]: changed };
    }
  } else if (Array.isArray(value)) {
    for (const [at, item] of value.entries()) {
      for (const changed of variants(item)) yield value.with(at, changed);
    }
  } else {
    const changes = Object.values(KINDS).map((change) => change(value));
    yield changes.find((changed) => changed !== value) ?? 'BANANA';
  }
}

function replaced(value: Json, change: (value: Json) => Json): Json {
  if (Array.isArray(value)) return value.map((item) => replaced(item, change));
  if (!isObject(value)) return change(value);
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => [key, replaced(field, change)]),
  );
}
