import { BoundedMap } from '../bounded-map.ts';
import type { JsonValue } from '../json.ts';
import { type Codec, list, pair } from '../state/codec.ts';
import type { Stateful } from '../state/stateful.ts';

/** A map of the most recently set entries that is part of snapshots. */
export class RecentMap<K, V> extends BoundedMap<K, V> implements Stateful {
  readonly #codec: Codec<readonly (readonly [K, V])[]>;

  constructor(capacity: number, key: Codec<K>, value: Codec<V>) {
    super(capacity);
    this.#codec = list(pair(key, value), capacity);
  }

  /** Makes an entry the most recent one, if the map is full and the order matters. */
  touch(key: K, value: V): void {
    if (this.isFull) this.set(key, value);
  }

  snapshot(): JsonValue {
    return this.#codec.write(this.entries());
  }

  restore(path: string, json: unknown): void {
    const entries = this.#codec.read(path, json);
    this.clear();
    for (const [key, value] of entries) this.set(key, value);
  }
}
