import { BoundedMap } from '../common/bounded-map.ts';
import type { JsonValue } from '../common/json.ts';
import { type Codec, list, pair, recordAt } from './codec.ts';

/** Something whose state snapshots save. */
export interface Stateful {
  /** Forgets everything, like a new one. */
  clear(): void;
  snapshot(): JsonValue;
  /** @throws {@link InvalidSnapshotError} naming `path`. */
  restore(path: string, json: unknown): void;
}

/** A value that snapshots save. */
export class Saved<T> implements Stateful {
  readonly #codec: Codec<T>;
  readonly #start: () => T;
  state: T;

  constructor(codec: Codec<T>, start: () => T) {
    this.#codec = codec;
    this.#start = start;
    this.state = start();
  }

  clear(): void {
    this.state = this.#start();
  }

  snapshot(): JsonValue {
    return this.#codec.write(this.state);
  }

  restore(path: string, json: unknown): void {
    this.state = this.#codec.read(path, json);
  }
}

/** Several values that snapshots save as one. */
export class SavedGroup implements Stateful {
  readonly #parts: Readonly<Record<string, Stateful>>;

  constructor(parts: Readonly<Record<string, Stateful>>) {
    this.#parts = parts;
  }

  clear(): void {
    for (const part of Object.values(this.#parts)) part.clear();
  }

  snapshot(): JsonValue {
    const parts = Object.entries(this.#parts);
    return Object.fromEntries(parts.map(([name, part]) => [name, part.snapshot()]));
  }

  restore(path: string, json: unknown): void {
    const given = recordAt(path, json);
    for (const [name, part] of Object.entries(this.#parts)) {
      part.restore(`${path}.${name}`, given[name]);
    }
  }
}

/** Writes and reads parts that `create` returns. */
export function part<T extends Pick<Stateful, 'snapshot' | 'restore'>>(create: () => T): Codec<T> {
  return {
    write: (value) => value.snapshot(),
    read: (path, json) => {
      const value = create();
      value.restore(path, json);
      return value;
    },
  };
}

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
