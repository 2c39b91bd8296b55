import type { JsonValue } from '../../common/json.ts';
import { ID, withoutPlaces } from './places.ts';

const MAX_VALUES = 100;
/** Shorter ones are in many texts by chance. */
const MIN_ITEM = 2;
const DIGIT = /\d/;
/** What stands between the words and the names of a text. */
const BETWEEN = /[^\p{L}\p{N}_.,/@+-]+/u;
const EDGES = /^[.,/-]+|[.,/-]+$/g;

/**
 * The values of arguments with numbers that an error mentions, other than in a place, such as the `17` of `there is no user 17`.
 * Numbers in errors do not count, unless they name the item that the call was about.
 */
export function itemsIn(error: string, args: JsonValue = null): readonly string[] {
  if (!DIGIT.test(error)) return [];
  const named = namesIn(withoutPlaces(error));
  const all = namesIn(error);
  const items = new Set<string>();
  const values: JsonValue[] = [args];
  // More are added on the way.
  for (const value of values) {
    if (typeof value === 'object' && value !== null) {
      values.push(...Object.values(value).slice(0, Math.max(0, MAX_VALUES - values.length)));
    } else {
      const item = String(value);
      if (!DIGIT.test(item) || item.length < MIN_ITEM) continue;
      if (named.has(item) || (item.search(ID) >= 0 && all.has(item))) items.add(item);
    }
  }
  return [...items].sort();
}

function namesIn(text: string): ReadonlySet<string> {
  return new Set(text.split(BETWEEN).map((name) => name.replace(EDGES, '')));
}
