import { BoundedMap } from '@teamfuse/core/kit';
import type { WireAnswer } from '../formats/format.ts';
import type { Item, TextItem } from '../item.ts';
import { hashOf } from './chain.ts';

/** An answer that was streamed: how many pieces it had, and the hash of them all. */
interface Streamed {
  readonly count: number;
  readonly hash: number;
}

const MAX_KEPT = 10_000;
/** After so many pieces that are not those of an answer, no more are compared. */
const MAX_TRIES = 100;

/**
 * Some SDKs keep each piece of a streamed answer as an entry of their history. Puts those together again, and leaves answers apart
 * that follow each other. Entries that nobody knows are taken for the pieces of one answer.
 */
export class Pieces {
  /** The latest answers by their texts, and the streamed ones by their first pieces. */
  readonly #answers = new BoundedMap<string, true>(MAX_KEPT);
  readonly #streamed = new BoundedMap<string, Streamed>(MAX_KEPT);

  /** Notes an answer, and the pieces in which its text came. */
  add(scope: string, { items, pieces = [] }: Pick<WireAnswer, 'items' | 'pieces'>): void {
    for (const item of items) {
      if (item.kind === 'text') this.#answers.set(keyOf(scope, item.text), true);
    }
    const [first] = pieces;
    if (first === undefined || pieces.length === 1) return;
    const streamed = { count: pieces.length, hash: hashOf(pieces.join('')) };
    this.#streamed.set(keyOf(scope, first), streamed);
  }

  /** A history with its answers in one item each. */
  joined(scope: string, items: readonly Item[]): readonly Item[] {
    const all: Item[] = [];
    let tries = 0;
    let unknown: TextItem[] = [];
    const endUnknown = (): void => {
      if (unknown.length > 0) all.push(whole(unknown));
      unknown = [];
    };
    for (let at = 0; at < items.length; at++) {
      const item = items[at] as Item;
      const streamed = isSaid(item) ? this.#streamed.get(keyOf(scope, item.text)) : undefined;
      const isTried = streamed !== undefined && tries < MAX_TRIES;
      const pieces = isTried ? piecesAt(items, at, streamed) : [];
      if (isTried && pieces.length === 0) tries++;
      if (pieces.length > 0) {
        endUnknown();
        all.push(whole(pieces));
        at += pieces.length - 1;
      } else if (isSaid(item) && !this.#answers.has(keyOf(scope, item.text))) {
        unknown.push(item);
      } else {
        endUnknown();
        all.push(item);
      }
    }
    endUnknown();
    return all;
  }
}

/** The pieces of an answer, if they begin here. */
function piecesAt(
  items: readonly Item[],
  at: number,
  { count, hash }: Streamed,
): readonly TextItem[] {
  const pieces = items.slice(at, at + count).filter(isSaid);
  return pieces.length === count && hashOf(whole(pieces).text) === hash ? pieces : [];
}

function isSaid(item: Item): item is TextItem {
  return item.kind === 'text' && item.role === 'assistant';
}

function whole(pieces: readonly TextItem[]): TextItem {
  const [first] = pieces as readonly [TextItem];
  return pieces.length === 1 ? first : { ...first, text: pieces.map(({ text }) => text).join('') };
}

function keyOf(scope: string, text: string): string {
  return `${scope} ${hashOf(text)}`;
}
