import type { JsonValue } from '../json.ts';
import { type Codec, list, pair } from '../state/codec.ts';
import type { Stateful } from '../state/stateful.ts';

/** A map of the most recently set entries, up to a capacity. */
export class RecentMap<K, V> implements Stateful {
  readonly #capacity: number;
  readonly #codec: Codec<readonly (readonly [K, V])[]>;
  /** In insertion order. */
  readonly #entries: Map<K, V> = new Map();

  constructor(capacity: number, key: Codec<K>, value: Codec<V>) {
    this.#capacity = capacity;
    this.#codec = list(pair(key, value), capacity);
  }

  get(key: K): V | undefined {
    return this.#entries.get(key);
  }

  /** Sets an entry as the most recent one. */
  set(key: K, value: V): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size <= this.#capacity) return;
    this.#entries.delete(this.#entries.keys().next().value as K);
  }

  /** Makes an entry the most recent one, if the map is full and the order matters. */
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
