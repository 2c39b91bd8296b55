import type { JsonValue } from '../../json.ts';
import { addHash, hashText, mixHash } from '../hash.ts';
import type { TextReader } from '../text/text-reader.ts';
import { hasVolatileName, isVolatileText } from './volatile-field.ts';

const MAX_NODES = 20_000;

/** Walks JSON, leaves out what is volatile, and hands its texts and numbers to a {@link TextReader}. */
export class JsonReader {
  readonly #reader: TextReader;
  #nodes = 0;
  #bag = 0;

  constructor(reader: TextReader) {
    this.#reader = reader;
  }

  /** Equal for the last JSON read and any that differs from it in the order of its items and fields only. */
  get bag(): number {
    return this.#bag;
  }

  /**
   * Reads `value` and gives a fingerprint that does not depend on key order, empty fields and the fields in `ignored`.
   * In a result, fields that are volatile by their name or form do not count either.
   */
  read(value: JsonValue, ignored: ReadonlySet<string>, isResult: boolean): number {
    this.#nodes = 0;
    this.#bag = 0;
    return this.#walk(value, '', ignored, isResult);
  }

  #walk(value: JsonValue, name: string, ignored: ReadonlySet<string>, isResult: boolean): number {
    if (++this.#nodes > MAX_NODES || value === null) return 0;
    if (typeof value === 'string') {
      if (isResult && isVolatileText(value)) return 0;
      this.#reader.read(value);
      return this.#leaf(hashText(value), name);
    }
    if (typeof value === 'number') {
      const text = String(value);
      this.#reader.read(text);
      return this.#leaf(mixHash(hashText(text), 1), name);
    }
    if (typeof value === 'boolean') return this.#leaf(value ? 2 : 3, name);
    if (Array.isArray(value)) {
      let hash = 4;
      for (const item of value) hash = mixHash(hash, this.#walk(item, name, ignored, isResult));
      return hash;
    }
    return this.#walkFields(value as { readonly [key: string]: JsonValue }, ignored, isResult);
  }

  #walkFields(
    fields: { readonly [key: string]: JsonValue },
    ignored: ReadonlySet<string>,
    isResult: boolean,
  ): number {
    // A sum does not depend on the order of the fields.
    let hash = 5;
    for (const name of Object.keys(fields)) {
      const value = fields[name];
      if (value === undefined || value === null || ignored.has(name)) continue;
      if (isResult && typeof value !== 'object' && hasVolatileName(name)) continue;
      hash = addHash(hash, mixHash(hashText(name), this.#walk(value, name, ignored, isResult)));
    }
    return hash;
  }

  #leaf(hash: number, name: string): number {
    this.#bag = addHash(this.#bag, mixHash(hashText(name), hash));
    return hash;
  }
}
