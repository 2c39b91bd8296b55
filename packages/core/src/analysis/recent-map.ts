/** Remembers the most recently used entries, at most a given number. */
export class RecentMap<K, V> {
  readonly #capacity: number;
  readonly #entries: Map<K, V> = new Map();

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** The value under `key`, made by `create` if there is none. Makes it the most recently used one. */
  use(key: K, create: () => V): V {
    const value = this.#entries.get(key) ?? create();
    this.set(key, value);
    return value;
  }

  get(key: K): V | undefined {
    return this.#entries.get(key);
  }

  set(key: K, value: V): void {
    // Deleting first makes the order of the map the order of last use.
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size <= this.#capacity) return;
    for (const oldest of this.#entries.keys()) {
      this.#entries.delete(oldest);
      return;
    }
  }

  delete(key: K): void {
    this.#entries.delete(key);
  }

  clear(): void {
    // Even an empty map gets a new table when it is cleared, and most are cleared at every step.
    if (this.#entries.size > 0) this.#entries.clear();
  }

  /** The least recently used entry first. */
  entries(): [K, V][] {
    return [...this.#entries];
  }
}
