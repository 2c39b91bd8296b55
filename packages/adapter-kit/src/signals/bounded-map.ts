/** A map that forgets its oldest entries beyond a size. */
export class BoundedMap<K, V> {
  readonly #maxEntries: number;
  readonly #entries: Map<K, V> = new Map();

  constructor(maxEntries: number) {
    this.#maxEntries = maxEntries;
  }

  get(key: K): V | undefined {
    return this.#entries.get(key);
  }

  has(key: K): boolean {
    return this.#entries.has(key);
  }

  /** All entries, the oldest first. */
  entries(): readonly (readonly [K, V])[] {
    return [...this.#entries];
  }

  /** Sets an entry, which counts as the newest from then on. */
  set(key: K, value: V): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    this.#trim();
  }

  /** Sets an entry that keeps its age if it is there, and says whether it is new. */
  add(key: K, value: V): boolean {
    const { size } = this.#entries;
    this.#entries.set(key, value);
    if (this.#entries.size === size) return false;
    this.#trim();
    return true;
  }

  /** Forgets all entries. */
  clear(): void {
    this.#entries.clear();
  }

  /** Says whether there was such an entry. */
  delete(key: K): boolean {
    return this.#entries.delete(key);
  }

  #trim(): void {
    if (this.#entries.size <= this.#maxEntries) return;
    for (const oldest of this.#entries.keys()) {
      this.#entries.delete(oldest);
      return;
    }
  }
}
