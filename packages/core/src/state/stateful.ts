import type { JsonValue } from '../json.ts';
import { type Codec, recordAt } from './codec.ts';

/** A part with a state of its own. */
export interface Stateful {
  /** Forgets everything, like a new part. */
  clear(): void;
  snapshot(): JsonValue;
  /** @throws {@link InvalidSnapshotError} naming `path`. */
  restore(path: string, json: unknown): void;
}

/** A part whose state is one value. */
export class Kept<T> implements Stateful {
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

/** Several parts as one. */
export class Parts implements Stateful {
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
