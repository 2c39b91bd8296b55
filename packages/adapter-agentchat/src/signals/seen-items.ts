import type { ChatItem } from '@teamfuse/agentchat';
import { BoundedMap } from '@teamfuse/core/kit';
import { ItemReader } from './item-reader.ts';

/** More than are on their way between a stream and a condition at any time. */
const MAX_KNOWN_ITEMS = 8192;
const MAX_ANNOUNCED = 64;

const all: WeakMap<object, SeenItems> = new WeakMap();

/** The items of a conversation that were observed, so that each is observed once. */
export class SeenItems {
  /** Joins what belongs together, whichever tap saw which part. */
  readonly reader: ItemReader = new ItemReader();
  readonly #known: BoundedMap<string, true> = new BoundedMap(MAX_KNOWN_ITEMS);
  #announced: readonly string[] = [];

  /** The ones of a conversation. */
  static of(conversation: object): SeenItems {
    let seen = all.get(conversation);
    if (seen === undefined) {
      seen = new SeenItems();
      all.set(conversation, seen);
    }
    return seen;
  }

  /** Enters items, and returns those that are new. */
  enter(items: readonly ChatItem[]): readonly ChatItem[] {
    return items.filter((item) => {
      if (isChunk(item) || !this.#known.add(item.id, true)) return false;
      return !this.#wasAnnounced(item);
    });
  }

  /** Whether all these items have been entered. */
  knows(items: readonly ChatItem[]): boolean {
    return items.every((item) => isChunk(item) || this.#known.has(item.id));
  }

  /** Marks what has been observed already and is still to come: messages, or the text of one by `user`. */
  announce(task: string | readonly ChatItem[]): void {
    const marks = typeof task === 'string' ? [task] : task.map(({ id }) => id);
    this.#announced = [...this.#announced, ...marks].slice(-MAX_ANNOUNCED);
  }

  #wasAnnounced(item: ChatItem): boolean {
    const at = this.#announced.findIndex(
      (mark) => mark === item.id || (item.source === 'user' && mark === item.toText()),
    );
    if (at < 0) return false;
    this.#announced = this.#announced.toSpliced(at, 1);
    return true;
  }
}

/** Pieces of a message say nothing of their own, and would push out everything else. */
function isChunk({ type }: ChatItem): boolean {
  return type === 'ModelClientStreamingChunkEvent';
}
