import { isArray } from '../errors.ts';
import { hashText } from '../hash.ts';
import type { AdmissionRequest } from './request.ts';
import type { Signal } from './signal.ts';
import { type Field, REQUEST_FIELDS, SIGNAL_FIELDS } from './signal-fields.ts';

const MAX_NAME = 128;
const KEPT = 96;

const NAME_FIELDS: ReadonlyMap<unknown, readonly Field[]> = new Map(
  [...SIGNAL_FIELDS].map(([kind, fields]) => [kind, fields.filter(isName)]),
);
const NAMES_OF_REQUEST = REQUEST_FIELDS.filter(isName);

/**
 * The signal or request with names of bounded length, so that what is remembered by name stays bounded. Different names stay
 * different.
 */
export function boundNames<T extends Signal | AdmissionRequest>(value: T): T {
  const given = value as unknown as Readonly<Record<string, unknown>>;
  let copy: Record<string, unknown> | undefined;
  for (const { name, type } of NAME_FIELDS.get(value.kind) ?? NAMES_OF_REQUEST) {
    const named = given[name];
    // Only the common fields of a request were checked.
    const isList = type === 'names' && isArray(named);
    if (!(isList ? named.some(isLong) : isLong(named))) continue;
    copy ??= { ...value };
    copy[name] = isList ? (named as string[]).map(boundName) : boundName(named as string);
  }
  return (copy ?? value) as T;
}

/** A name of at most 128 characters: a longer one becomes its beginning and a hash. */
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
