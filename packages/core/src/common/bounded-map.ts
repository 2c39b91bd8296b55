/** A map of the entries that were set last, up to a size. For packages that build on this one. */
export class BoundedMap<K, V> {
  readonly #maxEntries: number;
  readonly #entries: Map<K, V> = new Map();
  /** Stands before the oldest entry while each new one replaces it: a new iterator would step over all that were deleted. */
  #oldest: Iterator<[K, V]> | undefined;

  constructor(maxEntries: number) {
    this.#maxEntries = maxEntries;
  }

  get size(): number {
    return this.#entries.size;
  }

  get isFull(): boolean {
    return this.#entries.size === this.#maxEntries;
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

  /** What all entries hold, the oldest first. */
  values(): readonly V[] {
    return [...this.#entries.values()];
  }

  /** Sets an entry, which counts as the newest from then on. Returns the oldest one if it had to go. */
  set(key: K, value: V): readonly [K, V] | undefined {
    this.delete(key);
    this.#entries.set(key, value);
    return this.#trim();
  }

  /** Sets an entry that keeps its age if it is there, and says whether it is new. */
  add(key: K, value: V): boolean {
    const { size } = this.#entries;
    this.#entries.set(key, value);
    const isNew = this.#entries.size > size;
    this.#trim();
    return isNew;
  }

  /** Forgets all entries. */
  clear(): void {
    if (this.#entries.size === 0) return;
    this.#oldest = undefined;
    this.#entries.clear();
  }

  /** Says whether there was such an entry. */
  delete(key: K): boolean {
    if (!this.#entries.delete(key)) return false;
    // An iterator that is not moved on keeps the memory of all that is deleted.
    this.#oldest = undefined;
    return true;
  }

  #trim(): readonly [K, V] | undefined {
    if (this.#entries.size <= this.#maxEntries) return undefined;
    this.#oldest ??= this.#entries.entries();
    const oldest: readonly [K, V] = this.#oldest.next().value;
    this.#entries.delete(oldest[0]);
    return oldest;
  }
}
