import { hashText } from '../analysis/hash.ts';
import { isArray } from '../errors.ts';
import type { AdmissionRequest } from '../request.ts';
import type { Signal } from './signal.ts';
import { type Field, REQUEST_FIELDS, SIGNAL_FIELDS } from './signal-fields.ts';

/** Characters of a name at most. */
const MAX_NAME = 128;
const KEPT = 96;

/** The fields of each kind that hold names. */
const NAME_FIELDS: ReadonlyMap<unknown, readonly Field[]> = new Map(
  [...SIGNAL_FIELDS].map(([kind, fields]) => [kind, fields.filter(isName)]),
);
const NAMES_OF_REQUEST = REQUEST_FIELDS.filter(isName);

/**
 * The signal or request itself, or a copy in which names are no longer than a name may be: what is remembered by name
 * stays bounded, whatever a model calls its tools. Names that differ stay different.
 * @internal
 */
export function boundNames<T extends Signal | AdmissionRequest>(value: T): T {
  const given = value as unknown as Readonly<Record<string, unknown>>;
  let copy: Record<string, unknown> | undefined;
  for (const { name, type } of NAME_FIELDS.get(value.kind) ?? NAMES_OF_REQUEST) {
    const named = given[name];
    // A request need not have all that its signal has, and nobody has checked the rest of it.
    const isList = type === 'names' && isArray(named);
    if (!(isList ? named.some(isLong) : isLong(named))) continue;
    copy ??= { ...value };
    copy[name] = isList ? (named as string[]).map(boundName) : boundName(named as string);
  }
  return (copy ?? value) as T;
}

/** A name of at most 128 characters: of a longer one, its beginning and a hash of all of it. @internal */
export function boundName(name: string): string {
  if (name.length <= MAX_NAME) return name;
  return `${name.slice(0, KEPT)}…${hashText(name).toString(36)}`;
}

function isLong(value: unknown): boolean {
  return typeof value === 'string' && value.length > MAX_NAME;
}

function isName({ type }: Field): boolean {
  return type === 'label' || type === 'name' || type === 'names';
}
