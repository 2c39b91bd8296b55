import { mixHash } from '@teamfuse/core/detectors';
import { BoundedMap } from '@teamfuse/core/kit';
import type { Item } from '../item.ts';
import type { Asker } from './asker.ts';
import { anchorOf, contentHash, hashOf, pictureAnchorsOf } from './chain.ts';
import { isOwn } from './history.ts';
import { type HistoryNode, isTaken, type Thread } from './thread.ts';

/** An answer by which a conversation is known again, though its history was cut or summed up. */
export interface Anchor {
  readonly thread: Thread;
  readonly node: HistoryNode;
  /** Who was answered, and what the request ended with. */
  readonly agent: string;
  readonly before: number | undefined;
  /** The hashes of all that the answer said, of which this is the one at `at`. */
  readonly said: readonly number[];
  readonly at: number;
}

/** An anchor that a history holds. */
export interface FoundAnchor extends Anchor {
  readonly index: number;
  /** Who was answered, where the agent that asks sends the answer as its own. */
  readonly own: string | undefined;
}

const MAX_KEPT = 10_000;
const MAX_GIVEN = 20_000;
/** Each may keep a whole history. */
const MAX_EARLIER = 32;
/** How far back a history is searched. */
const MAX_SEARCHED = 100;

/** The latest answers of all conversations. */
export class Anchors {
  /** `undefined` where several gave the same answer. */
  readonly #all = new BoundedMap<number, Anchor | undefined>(MAX_KEPT);
  /** Earlier ones, too, for histories whose conversation is known: nobody else's answers are in the way. */
  readonly #earlier = new WeakMap<Thread, BoundedMap<number, Anchor>>();
  /** What models answered, also long ago: a harness may put words into an agent's mouth that are no answer. */
  readonly #given = new BoundedMap<number, true>(MAX_GIVEN);
  /** Whether any answer came after a picture: most traffic has none, and need not be searched for them. */
  #hasPictures = false;

  /** Notes the item of an answer that stands at `index` of a history. */
  add(scope: string, items: readonly Item[], index: number, anchor: Anchor): void {
    this.#given.set(givenKey(scope, items[index] as Item), true);
    const pictured = pictureAnchorsOf(scope, items, index, false);
    this.#hasPictures ||= pictured.length > 0;
    const keys = [anchorOf(scope, items, index), ...pictured];
    for (const key of new Set(keys)) {
      if (key === undefined) continue;
      this.#earlierOf(anchor.thread).set(key, anchor);
      anchor.thread.anchors.push(key);
      this.#all.set(key, this.#all.has(key) ? undefined : anchor);
    }
  }

  /** Forgets the answers of a conversation by which it is found. */
  drop(thread: Thread): void {
    for (const key of thread.anchors.splice(0)) this.#all.delete(key);
  }

  /** The latest item that is the latest answer of a conversation, or any of the `wanted` one. */
  in(
    items: readonly Item[],
    scope: string,
    asker: Asker,
    wanted?: Thread,
  ): FoundAnchor | undefined {
    const known = wanted === undefined ? this.#all : this.#earlierOf(wanted);
    const first = Math.max(0, items.length - MAX_SEARCHED);
    let isPast = false;
    for (let index = items.length - 1; index >= first; index--) {
      const item = items[index] as Item;
      // What stands before the agent's own latest answer is older than that.
      if (isOwn(item)) isPast ||= this.#given.has(givenKey(scope, item));
      else if (isPast) return undefined;
      const anchor = this.#at(scope, items, index, known);
      if (anchor === undefined) continue;
      if (isTaken(anchor.node) && isWhere(anchor, asker, items, index)) {
        const own = isOwn(item) ? anchor.agent : undefined;
        return { ...anchor, index, own };
      }
    }
    return undefined;
  }

  #at(
    scope: string,
    items: readonly Item[],
    index: number,
    known: BoundedMap<number, Anchor | undefined>,
  ): Anchor | undefined {
    const pictured = this.#hasPictures ? pictureAnchorsOf(scope, items, index, true) : [];
    const keys = [anchorOf(scope, items, index), ...pictured];
    const found = keys.map((key) => (key === undefined ? undefined : known.get(key)));
    return found.find((anchor) => anchor !== undefined);
  }

  #earlierOf(thread: Thread): BoundedMap<number, Anchor> {
    const known = this.#earlier.get(thread) ?? new BoundedMap(MAX_EARLIER);
    this.#earlier.set(thread, known);
    return known;
  }
}

/** Where the answer that holds a known item begins in a history. */
export function beginningOf({ said, at, index }: FoundAnchor, items: readonly Item[]): number {
  let before = 0;
  const isSaid = (back: number): boolean => {
    const item = items[index - back];
    return item !== undefined && contentHash(item) === said[at - back];
  };
  while (before < at && isSaid(before + 1)) before++;
  return index - before;
}

function givenKey(scope: string, item: Item): number {
  return mixHash(hashOf(scope), contentHash(item));
}

/** Whether an answer stands where it was given: among its agent's own words, or after what it answered. */
function isWhere(anchor: Anchor, asker: Asker, items: readonly Item[], index: number): boolean {
  if (isOwn(items[index] as Item) && asker.after(anchor.thread, anchor.agent) === anchor.agent) {
    return true;
  }
  const before = items[index - 1];
  return before !== undefined && contentHash(before) === anchor.before;
}
