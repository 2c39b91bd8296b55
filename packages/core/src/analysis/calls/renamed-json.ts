import type { JsonValue } from '../../json.ts';
import { addHash, hashText, mixHash } from '../hash.ts';
import { hasVolatileName, isVolatileText } from './volatile-field.ts';

const MAX_NODES = 20_000;

/** What a text stands for at a place in the JSON; `undefined` if it stands for itself. */
export type Rename = (text: string, place: number) => number | undefined;

/** How {@link renamedHash} reads. */
export interface Renaming {
  readonly rename: Rename;
  /** Names of fields that do not count. */
  readonly ignored: ReadonlySet<string>;
  /** Whether fields that are volatile by their name or form do not count either. */
  readonly isResult: boolean;
}

/**
 * A fingerprint of JSON in which names stand for where they come from, whatever the order of its fields and items.
 *
 * `root` is the place of the whole; those of its parts follow from it.
 * @internal
 */
export function renamedHash(value: JsonValue, root: number, renaming: Renaming): number {
  const { rename, ignored, isResult } = renaming;
  let nodes = 0;
  let bag = 0;
  const leaf = (name: number, hash: number): void => {
    bag = addHash(bag, mixHash(name, hash));
  };
  const walk = (part: JsonValue, name: number, place: number): void => {
    if (++nodes > MAX_NODES || part === null) return;
    if (typeof part === 'string') {
      if (isResult && isVolatileText(part)) return;
      leaf(name, rename(part, place) ?? hashText(part));
    } else if (Array.isArray(part)) {
      for (const [i, item] of part.entries()) walk(item, name, mixHash(place, i));
    } else if (typeof part === 'object') {
      for (const [key, field] of Object.entries(part)) {
        if (ignored.has(key)) continue;
        if (isResult && typeof field !== 'object' && hasVolatileName(key)) continue;
        const hash = hashText(key);
        walk(field as JsonValue, hash, mixHash(place, hash));
      }
    } else {
      leaf(name, mixHash(hashText(String(part)), 1));
    }
  };
  walk(value, 0, root);
  return bag;
}
