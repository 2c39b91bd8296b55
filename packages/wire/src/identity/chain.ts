import { hashWords, mixHash } from '@teamfuse/core/detectors';
import { hasMarks, withoutMarks } from '../fields.ts';
import type { Item, TextItem } from '../item.ts';
import { isReadable } from '../json-size.ts';

/**
 * A node in a history, as hashes of what stands before it. Texts alone make the first: agents that do not see each other's
 * tool calls are at the same node again after the next text.
 */
export interface Chain {
  readonly texts: number;
  /** The calls and results since the last text; 0 for none. */
  readonly calls: number;
}

/** Texts shorter than this are no sign of their conversation. */
const MIN_ANCHOR = 40;
/** How many texts before a short one tell it from others. */
const MAX_BEFORE = 3;
const MAX_BEFORE_PICTURES = 16;

/** The beginning of all histories of a scope, such as an API key. Histories of different scopes never meet. */
export function beginning(scope: string): Chain {
  return { texts: hashOf(scope), calls: 0 };
}

/** The node after one more item. Roles do not count: each agent sends its own words as `assistant`, and those of others as `user`. */
export function after(chain: Chain, item: Item): Chain {
  const { texts, calls } = chain;
  if (item.kind === 'text') return { texts: mixHash(texts, contentHash(item)), calls: 0 };
  return { texts, calls: mixHash(calls, mixHash(hashOf(item.id), contentHash(item))) };
}

/** The key of a node. */
export function keyOf({ texts, calls }: Chain): number {
  return calls === 0 ? texts : mixHash(texts, calls);
}

/** Whether two nodes are one. */
export function isSame(a: Chain, b: Chain): boolean {
  return a.texts === b.texts && a.calls === b.calls;
}

/** What was hashed once: each item is asked for several times in a request. */
const HASHES = new WeakMap<Item, number>();

/** The hash of what an item says. White space does not count, as clients trim texts. */
export function contentHash(item: Item): number {
  const known = HASHES.get(item);
  if (known !== undefined) return known;
  const hash = hashItem(item);
  HASHES.set(item, hash);
  return hash;
}

function hashItem(item: Item): number {
  switch (item.kind) {
    case 'text':
      return hashOf(item.text);
    case 'call':
      return mixHash(hashOf(item.tool), hashOf(argsText(item.args)));
    case 'result':
      return hashOf(item.text);
  }
}

/** A text without its pictures. */
interface Words {
  readonly hash: number;
  readonly length: number;
}

/** Each is asked for several times in a request. */
const WORDS = new WeakMap<Item, Words>();

/**
 * What the answer at `index` is known by wherever it stands in a history: a short one together with what comes before it.
 * `undefined` for one that others might give as well.
 */
export function anchorOf(scope: string, items: readonly Item[], index: number): number | undefined {
  const item = items[index];
  if (item?.kind !== 'call') {
    return keyOfAnswer(scope, items, index, { end: index, most: MAX_BEFORE, read: whole });
  }
  const key = mixHash(hashOf(scope), contentHash(item));
  return item.id === '' ? undefined : mixHash(key, hashOf(item.id));
}

/**
 * What a short answer is known by where pictures before it are left out: the words that came with them, or those before the prompt, for
 * which something else may stand. None where no picture came before it, unless `isAny`.
 */
export function pictureAnchorsOf(
  scope: string,
  items: readonly Item[],
  index: number,
  isAny: boolean,
): readonly number[] {
  const before = items.slice(Math.max(0, index - MAX_BEFORE_PICTURES), index);
  if (!isAny && !before.some((item) => item.kind === 'text' && hasMarks(item.text))) return [];
  const keys = [index, index - 1].map((end) =>
    keyOfAnswer(scope, items, index, { end, most: MAX_BEFORE_PICTURES, read: wordsOf }),
  );
  return keys.filter((key) => key !== undefined);
}

/** Which texts count as what came before an answer. */
interface Before {
  readonly end: number;
  readonly most: number;
  readonly read: (item: TextItem) => Words;
}

function keyOfAnswer(
  scope: string,
  items: readonly Item[],
  index: number,
  { end, most, read }: Before,
): number | undefined {
  const item = items[index];
  if (item?.kind !== 'text') return undefined;
  let key = mixHash(hashOf(scope), contentHash(item));
  let { length } = item.text;
  let count = 0;
  for (let at = end - 1; length < MIN_ANCHOR; at--) {
    const before = items[at];
    if (before?.kind !== 'text' || count === most) return undefined;
    const words = read(before);
    if (words.length > 0) key = mixHash(key, words.hash);
    length += words.length;
    count++;
  }
  return key;
}

function whole(item: TextItem): Words {
  return { hash: contentHash(item), length: item.text.length };
}

function wordsOf(item: TextItem): Words {
  const known = WORDS.get(item);
  if (known !== undefined) return known;
  const text = withoutMarks(item.text);
  const words = { hash: hashOf(text), length: text.length };
  WORDS.set(item, words);
  return words;
}

/** Arguments as text: the same whether they came as JSON in a text or as a value. */
function argsText(args: unknown): string {
  if (typeof args !== 'string') return JSON.stringify(args) ?? '';
  if (!isReadable(args)) return args;
  try {
    return JSON.stringify(JSON.parse(args)) ?? '';
  } catch {
    return args;
  }
}

/** A hash of a text without regard to white space. */
export function hashOf(text: string): number {
  return hashWords(text, 0, text.length);
}
