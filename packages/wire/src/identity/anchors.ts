import { BoundedMap } from '@teamfuse/core/kit';
import type { Item } from '../item.ts';
import type { Asker } from './asker.ts';
import { anchorOf, contentHash, pictureAnchorsOf } from './chain.ts';
import { isOwn } from './history.ts';
import { type HistoryNode, isTaken, type Thread } from './thread.ts';

/** An answer by which a conversation is known again, though its history was cut or summed up. */
export interface Anchor {
  readonly thread: Thread;
  readonly node: HistoryNode;
  /** Who was answered, and what the request ended with. */
  readonly agent: string;
  readonly before: number | undefined;
}

/** An anchor that a history holds. */
export interface FoundAnchor extends Anchor {
  readonly index: number;
  /** Who was answered, where the agent that asks sends the answer as its own. */
  readonly own: string | undefined;
}

const MAX_KEPT = 10_000;
/** How far back a history is searched. */
const MAX_SEARCHED = 100;

/** The latest answers of all conversations. */
export class Anchors {
  /** `undefined` where several gave the same answer. */
  readonly #all = new BoundedMap<number, Anchor | undefined>(MAX_KEPT);
  /** Whether any answer came after a picture: most traffic has none, and need not be searched for them. */
  #hasPictures = false;

  /** Notes the item of an answer that stands at `index` of a history. */
  add(scope: string, items: readonly Item[], index: number, anchor: Anchor): void {
    const pictured = pictureAnchorsOf(scope, items, index, false);
    this.#hasPictures ||= pictured.length > 0;
    const keys = [anchorOf(scope, items, index), ...pictured];
    for (const key of new Set(keys)) {
      if (key === undefined) continue;
      anchor.thread.anchors.push(key);
      this.#all.set(key, this.#all.has(key) ? undefined : anchor);
    }
  }

  /** Forgets the answers of a conversation. */
  drop(thread: Thread): void {
    for (const key of thread.anchors.splice(0)) this.#all.delete(key);
  }

  /** The latest item that is the latest answer of a conversation, or of the `wanted` one. */
  in(
    items: readonly Item[],
    scope: string,
    asker: Asker,
    wanted?: Thread,
  ): FoundAnchor | undefined {
    const first = Math.max(0, items.length - MAX_SEARCHED);
    let isPast = false;
    for (let index = items.length - 1; index >= first; index--) {
      // What stands before the agent's own latest answer is older than that.
      if (isOwn(items[index] as Item)) isPast = true;
      else if (isPast) return undefined;
      const anchor = this.#at(scope, items, index);
      if (anchor === undefined || (wanted ?? anchor.thread) !== anchor.thread) continue;
      if (isTaken(anchor.node) && isWhere(anchor, asker, items, index)) {
        const own = isOwn(items[index] as Item) ? anchor.agent : undefined;
        return { ...anchor, index, own };
      }
    }
    return undefined;
  }

  #at(scope: string, items: readonly Item[], index: number): Anchor | undefined {
    const pictured = this.#hasPictures ? pictureAnchorsOf(scope, items, index, true) : [];
    const keys = [anchorOf(scope, items, index), ...pictured];
    const known = keys.map((key) => (key === undefined ? undefined : this.#all.get(key)));
    return known.find((anchor) => anchor !== undefined);
  }
}

/** Whether an answer stands where it was given: among its agent's own words, or after what it answered. */
function isWhere(anchor: Anchor, asker: Asker, items: readonly Item[], index: number): boolean {
  if (isOwn(items[index] as Item) && asker.after(anchor.thread, anchor.agent) === anchor.agent) {
    return true;
  }
  const before = items[index - 1];
  return before !== undefined && contentHash(before) === anchor.before;
}
