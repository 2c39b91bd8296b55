import type { JsonValue } from '../../json.ts';
import { estimateTokens } from '../../token-estimate.ts';
import { addHash, hashText, mixHash } from '../hash.ts';
import type { TextReader } from '../text/text-reader.ts';
import { hasVolatileName, isVolatileText } from './volatile-field.ts';

const MAX_NODES = 20_000;
/** Tokens of the signs around a text, a number or a name: half of one. */
const MARKS = 0.5;
/** What all names are in {@link JsonReader.nameless}. */
const NAMELESS = 6;

/** Somebody who knows what names stand for. */
export interface Names {
  /** What `text` stands for at a place in the JSON, in a field of this name; `undefined` if it stands for itself. */
  rename(text: string, place: number, field: string): number | undefined;
  /** Takes notice of a text that does not count itself. */
  note(text: string, place: number): void;
}

/** How JSON is read. */
export interface JsonReading {
  /** Names of fields that do not count. */
  readonly ignored: ReadonlySet<string>;
  /** Whether fields that are volatile by their name or form do not count either. */
  readonly isResult: boolean;
  /** The place of the whole, from which those of its parts follow. */
  readonly place: number;
  readonly names: Names;
  /** Names of fields that only count, so that {@link JsonReader.renamed} is the same without them. */
  readonly counted?: ReadonlySet<string>;
}

/** Walks JSON, leaves out what is volatile, and hands its texts and numbers to a {@link TextReader}. */
export class JsonReader {
  readonly #reader: TextReader;
  #nodes = 0;
  #bag = 0;
  #renamed = 0;
  #nameless = 0;
  #tokens = 0;
  #names = 0;

  constructor(reader: TextReader) {
    this.#reader = reader;
  }

  /** Equal for the last JSON read and any that differs from it in the order of its items and fields only. */
  get bag(): number {
    return this.#bag;
  }

  /** Roughly how many tokens the last JSON read has. */
  get tokens(): number {
    return Math.ceil(this.#tokens);
  }

  /** Whether all of the last JSON was read, or it was too much. */
  get isWhole(): boolean {
    return this.#nodes <= MAX_NODES;
  }

  /** How many texts in the last JSON read stand for something. */
  get names(): number {
    return this.#names;
  }

  /** The same as {@link JsonReader.bag}, with names as what they stand for. */
  get renamed(): number {
    return this.#renamed;
  }

  /** The same, with all names that stand for something alike. */
  get nameless(): number {
    return this.#nameless;
  }

  /**
   * Reads `value` and gives a fingerprint that does not depend on key order, empty fields and the fields in `ignored`.
   * In a result, fields that are volatile by their name or form do not count either.
   */
  read(value: JsonValue, reading: JsonReading): number {
    this.#nodes = 0;
    this.#bag = 0;
    this.#renamed = 0;
    this.#nameless = 0;
    this.#tokens = 0;
    this.#names = 0;
    return this.#walk(value, '', reading.place, reading);
  }

  #walk(value: JsonValue, field: string, place: number, reading: JsonReading): number {
    if (++this.#nodes > MAX_NODES || value === null) return 0;
    if (typeof value === 'string') {
      this.#tokens += MARKS + estimateTokens(value);
      const { names, isResult } = reading;
      if (isResult && isVolatileText(value)) {
        names.note(value, place);
        return 0;
      }
      const source = names.rename(value, place, field);
      this.#reader.read(value);
      return this.#leaf(hashText(value), field, source);
    }
    if (typeof value === 'number') {
      const text = String(value);
      this.#tokens += MARKS + estimateTokens(text);
      // A number in a result is a value; one that is asked with may be a nonce.
      const source = reading.isResult ? undefined : reading.names.rename(text, place, field);
      this.#reader.read(text);
      return this.#leaf(mixHash(hashText(text), 1), field, source);
    }
    if (typeof value === 'boolean') return this.#leaf(value ? 2 : 3, field);
    if (Array.isArray(value)) {
      let hash = 4;
      for (const [i, item] of value.entries()) {
        hash = mixHash(hash, this.#walk(item, field, mixHash(place, i), reading));
      }
      return hash;
    }
    return this.#walkFields(value as { readonly [key: string]: JsonValue }, place, reading);
  }

  #walkFields(
    fields: { readonly [key: string]: JsonValue },
    place: number,
    reading: JsonReading,
  ): number {
    // A sum does not depend on the order of the fields.
    let hash = 5;
    for (const key of Object.keys(fields)) {
      const value = fields[key];
      if (value === undefined || value === null || reading.ignored.has(key)) continue;
      this.#tokens += MARKS + estimateTokens(key);
      const name = hashText(key);
      const at = mixHash(place, name);
      if (reading.isResult && typeof value !== 'object' && hasVolatileName(key)) {
        this.#tokens += estimateTokens(String(value));
        if (typeof value === 'string') reading.names.note(value, at);
        continue;
      }
      const [renamed, nameless] = [this.#renamed, this.#nameless];
      hash = addHash(hash, mixHash(name, this.#walk(value, key, at, reading)));
      if (reading.counted?.has(key)) {
        // What only counts the calls makes no call another one.
        this.#renamed = renamed;
        this.#nameless = nameless;
      }
    }
    return hash;
  }

  #leaf(hash: number, field: string, source?: number): number {
    const name = hashText(field);
    const own = mixHash(name, hash);
    if (source !== undefined) this.#names++;
    this.#bag = addHash(this.#bag, own);
    this.#renamed = addHash(this.#renamed, source === undefined ? own : mixHash(name, source));
    this.#nameless = addHash(this.#nameless, source === undefined ? own : mixHash(name, NAMELESS));
    return hash;
  }
}
