import { type Chain, keyOf } from './chain.ts';
import type { Place, Thread } from './thread.ts';

/** How a place is reached. */
export type From = Pick<Place, 'parent' | 'way' | 'holdsAnswer'>;

/** The places of all histories. Several conversations can be at one place as long as their histories are the same. */
export class Places {
  readonly #at = new Map<number, Map<Thread, Place>>();
  #size = 0;

  /** How many there are. */
  get size(): number {
    return this.#size;
  }

  /** The conversations that were here. */
  at(chain: Chain): ReadonlyMap<Thread, Place> {
    return this.#at.get(keyOf(chain)) ?? NONE;
  }

  /** The place of a conversation, created on first use. */
  of(thread: Thread, chain: Chain, from?: From): Place {
    const key = keyOf(chain);
    const here = this.#at.get(key) ?? new Map<Thread, Place>();
    const known = here.get(thread);
    if (known !== undefined) return known;
    const place: Place = {
      parent: from?.parent,
      key,
      way: from?.way ?? 'text',
      holdsAnswer: from?.holdsAnswer ?? false,
      author: undefined,
      name: undefined,
      isTold: false,
      asked: new Map(),
      hasNext: false,
      next: new Map(),
    };
    here.set(thread, place);
    this.#at.set(key, here);
    thread.keys.push(key);
    this.#size++;
    return place;
  }

  /** Forgets a conversation. */
  forget(thread: Thread): void {
    this.trim(thread, 0);
  }

  /** Forgets the oldest places of a conversation that has more than `most`, and some more, so that this is rare. */
  trim(thread: Thread, most: number): void {
    if (thread.keys.length <= most) return;
    for (const key of thread.keys.splice(0, thread.keys.length - Math.floor(most / 2))) {
      const here = this.#at.get(key);
      if (here?.delete(thread)) this.#size--;
      if (here?.size === 0) this.#at.delete(key);
    }
  }
}

const NONE: ReadonlyMap<Thread, Place> = new Map();
