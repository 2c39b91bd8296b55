import { type Chain, keyOf } from './chain.ts';
import type { HistoryNode, Thread } from './thread.ts';

/** How a node is reached. */
export type From = Pick<HistoryNode, 'parent' | 'edge' | 'holdsAnswer'>;

/** The nodes of all histories. Several conversations can be at one node as long as their histories are the same. */
export class HistoryNodes {
  readonly #at = new Map<number, Map<Thread, HistoryNode>>();
  #size = 0;

  /** How many there are. */
  get size(): number {
    return this.#size;
  }

  /** The conversations that were here. */
  at(chain: Chain): ReadonlyMap<Thread, HistoryNode> {
    return this.#at.get(keyOf(chain)) ?? NONE;
  }

  /** The node of a conversation, created on first use. */
  of(thread: Thread, chain: Chain, from?: From): HistoryNode {
    const key = keyOf(chain);
    const here = this.#at.get(key) ?? new Map<Thread, HistoryNode>();
    const known = here.get(thread);
    if (known !== undefined) return known;
    const node: HistoryNode = {
      parent: from?.parent,
      key,
      edge: from?.edge ?? 'text',
      holdsAnswer: from?.holdsAnswer ?? false,
      author: undefined,
      answeredAt: undefined,
      name: undefined,
      isReported: false,
      asked: new Map(),
      hasNext: false,
      next: new Map(),
    };
    here.set(thread, node);
    this.#at.set(key, here);
    thread.keys.push(key);
    this.#size++;
    return node;
  }

  /** Forgets a conversation. */
  forget(thread: Thread): void {
    this.trim(thread, 0);
  }

  /** Forgets the oldest nodes of a conversation that has more than `most`, and some more, so that this is rare. */
  trim(thread: Thread, most: number): void {
    if (thread.keys.length <= most) return;
    for (const key of thread.keys.splice(0, thread.keys.length - Math.floor(most / 2))) {
      const here = this.#at.get(key);
      if (here?.delete(thread)) this.#size--;
      if (here?.size === 0) this.#at.delete(key);
    }
  }
}

const NONE: ReadonlyMap<Thread, HistoryNode> = new Map();
