interface Entry<K, V> {
  readonly key: K;
  value: V;
  older: Entry<K, V> | undefined;
  newer: Entry<K, V> | undefined;
}

/**
 * Remembers the most recently used entries, at most a given number.
 *
 * The entries are chained in the order of their use: a `Map` keeps such an order too, if entries are taken out and put
 * back, but that costs ten times as much.
 */
export class RecentMap<K, V> {
  readonly #capacity: number;
  readonly #entries: Map<K, Entry<K, V>> = new Map();
  #oldest: Entry<K, V> | undefined;
  #newest: Entry<K, V> | undefined;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** The value under `key`, made by `create` if there is none. Makes it the most recently used one. */
  use(key: K, create: () => V): V {
    const entry = this.#entries.get(key) ?? this.#add(key, create());
    this.#renew(entry);
    return entry.value;
  }

  get(key: K): V | undefined {
    return this.#entries.get(key)?.value;
  }

  set(key: K, value: V): void {
    const entry = this.#entries.get(key) ?? this.#add(key, value);
    entry.value = value;
    this.#renew(entry);
  }

  delete(key: K): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#unchain(entry);
  }

  clear(): void {
    // Even an empty map gets a new table when it is cleared, and most are cleared at every step.
    if (this.#entries.size > 0) this.#entries.clear();
    this.#oldest = undefined;
    this.#newest = undefined;
  }

  /** The least recently used entry first. */
  entries(): [K, V][] {
    const entries: [K, V][] = [];
    for (let entry = this.#oldest; entry; entry = entry.newer) {
      entries.push([entry.key, entry.value]);
    }
    return entries;
  }

  #add(key: K, value: V): Entry<K, V> {
    const entry: Entry<K, V> = { key, value, older: undefined, newer: undefined };
    this.#entries.set(key, entry);
    this.#chain(entry);
    if (this.#entries.size > this.#capacity) this.delete((this.#oldest as Entry<K, V>).key);
    return entry;
  }

  #renew(entry: Entry<K, V>): void {
    if (entry === this.#newest) return;
    this.#unchain(entry);
    this.#chain(entry);
  }

  #chain(entry: Entry<K, V>): void {
    entry.older = this.#newest;
    entry.newer = undefined;
    if (this.#newest === undefined) this.#oldest = entry;
    else this.#newest.newer = entry;
    this.#newest = entry;
  }

  #unchain({ older, newer }: Entry<K, V>): void {
    if (older === undefined) this.#oldest = newer;
    else older.newer = newer;
    if (newer === undefined) this.#newest = older;
    else newer.older = older;
  }
}
