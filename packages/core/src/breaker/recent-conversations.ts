import type { Conversation } from './conversation.ts';

/** Deletions before the iterator restarts: it may keep in memory what has left its map since its last step. */
const MOST_GONE = 100;

/** Conversations by id, the least recently used first. */
export class RecentConversations {
  readonly #going: Map<string, Conversation> = new Map();
  /** Older ones that were found stopped: with thousands of them, each search for one that goes on would pass them all. */
  readonly #stopped: Map<string, Conversation> = new Map();
  /** Kept between searches: a new iterator would step over all deleted entries again. */
  #search: Iterator<Conversation> = this.#going.values();
  #gone = 0;

  get size(): number {
    return this.#going.size + this.#stopped.size;
  }

  get all(): readonly Conversation[] {
    return [...this.#stopped.values(), ...this.#going.values()];
  }

  get(id: string): Conversation | undefined {
    return this.#going.get(id) ?? this.#stopped.get(id);
  }

  /** Makes a conversation the most recently used one. */
  set(conversation: Conversation): void {
    this.delete(conversation.id);
    this.#going.set(conversation.id, conversation);
  }

  delete(id: string): void {
    this.#stopped.delete(id);
    if (!this.#going.delete(id) || ++this.#gone < MOST_GONE) return;
    this.#startSearch();
  }

  clear(): void {
    this.#going.clear();
    this.#stopped.clear();
    this.#startSearch();
  }

  /** The oldest one whose circuit is closed, or else the oldest; `latest` is the last choice. Delete it, or set it anew. */
  oldest(latest: Conversation): Conversation {
    for (let one = this.#next(); one !== undefined; one = this.#next()) {
      if (one === latest) {
        this.set(one);
        break;
      }
      if (one.state.status === 'closed') return one;
      this.#going.delete(one.id);
      this.#stopped.set(one.id, one);
    }
    const [oldest = latest] = this.#stopped.values();
    return oldest;
  }

  /** Circuits may have closed although nobody used them. */
  rescan(): void {
    const { all } = this;
    this.clear();
    for (const one of all) this.#going.set(one.id, one);
  }

  #next(): Conversation | undefined {
    const { done, value } = this.#search.next();
    if (!done) return value;
    this.#startSearch();
    return undefined;
  }

  #startSearch(): void {
    this.#search = this.#going.values();
    this.#gone = 0;
  }
}
