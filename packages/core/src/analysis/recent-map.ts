import type { JsonValue } from '../json.ts';
import { type Codec, list, pair, type Stateful } from '../state/codec.ts';

/** The entries set most recently, at most a given number. */
export class RecentMap<K, V> implements Stateful {
  readonly #capacity: number;
  readonly #codec: Codec<readonly (readonly [K, V])[]>;
  /** A `Map` keeps its entries in the order in which they were put in. */
  readonly #entries: Map<K, V> = new Map();

  constructor(capacity: number, key: Codec<K>, value: Codec<V>) {
    this.#capacity = capacity;
    this.#codec = list(pair(key, value), capacity);
  }

  get(key: K): V | undefined {
    return this.#entries.get(key);
  }

  /** Puts an entry in as the most recent one. */
  set(key: K, value: V): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size <= this.#capacity) return;
    this.#entries.delete(this.#entries.keys().next().value as K);
  }

  /** Makes an entry the most recent one. As long as nothing has to give way, that does not matter. */
  touch(key: K, value: V): void {
    if (this.#entries.size === this.#capacity) this.set(key, value);
  }

  delete(key: K): void {
    this.#entries.delete(key);
  }

  clear(): void {
    if (this.#entries.size > 0) this.#entries.clear();
  }

  /** The oldest entry first. */
  entries(): readonly (readonly [K, V])[] {
    return [...this.#entries];
  }

  snapshot(): JsonValue {
    return this.#codec.write(this.entries());
  }

  restore(path: string, json: unknown): void {
    const entries = this.#codec.read(path, json);
    this.clear();
    for (const [key, value] of entries) this.#entries.set(key, value);
  }
}
