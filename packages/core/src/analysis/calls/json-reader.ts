import type { JsonValue } from '../../json.ts';
import { addHash, hashText, mixHash } from '../hash.ts';
import type { TextReader } from '../text/reader/text-reader.ts';
import { estimateTokens } from '../token-estimate.ts';

const MAX_NODES = 20_000;
/** Tokens of the signs around a text, a number or a name: half of one. */
const MARKS = 0.5;
/** Fields that hold a time taken, by their unit. */
const DURATION_FIELD = /(?:^|_)[mnuµ]?s$|[a-z](?:Ms|Us|Ns)$/;
const VOLATILE = 1;

/** Walks JSON and hands its texts and numbers to a {@link TextReader}. */
export class JsonReader {
  readonly #reader: TextReader;
  #nodes = 0;
  #tokens = 0;
  #exact = 0;
  #frame = 0;
  #shape = 0;

  constructor(reader: TextReader) {
    this.#reader = reader;
  }

  /** Equal for JSON that differs in the order of its fields, in empty ones and in what is volatile. */
  get exact(): number {
    return this.#exact;
  }

  /** Equal for JSON that differs in numbers as well. */
  get frame(): number {
    return this.#frame;
  }

  /** Equal for JSON that differs in the digits of names as well. */
  get shape(): number {
    return this.#shape;
  }

  /** Roughly how many tokens the last JSON has. */
  get tokens(): number {
    return Math.ceil(this.#tokens);
  }

  /** Reads `value`, leaving out fields named in `ignored`. */
  read(value: JsonValue, ignored: ReadonlySet<string>): void {
    this.#nodes = 0;
    this.#tokens = 0;
    this.#exact = 0;
    this.#frame = 0;
    this.#shape = 0;
    this.#walk(value, 0, ignored);
  }

  #walk(value: JsonValue, place: number, ignored: ReadonlySet<string>): void {
    if (++this.#nodes > MAX_NODES || value === null) return;
    if (typeof value === 'object') {
      if (Array.isArray(value)) {
        for (const item of value) this.#walk(item, place, ignored);
      } else this.#walkFields(value as { readonly [key: string]: JsonValue }, place, ignored);
      return;
    }
    const text = String(value);
    this.#tokens += MARKS + estimateTokens(text);
    this.#reader.begin();
    this.#reader.read(text);
    this.#leaf(place, this.#reader.exact, this.#reader.frame, this.#reader.shape);
  }

  #walkFields(
    fields: { readonly [key: string]: JsonValue },
    place: number,
    ignored: ReadonlySet<string>,
  ): void {
    for (const key of Object.keys(fields)) {
      const value = fields[key];
      if (value === undefined || value === null) continue;
      this.#tokens += MARKS + estimateTokens(key);
      if (ignored.has(key)) this.#tokens += estimateTokens(JSON.stringify(value));
      else if (typeof value === 'number' && DURATION_FIELD.test(key)) {
        this.#tokens += 1;
        this.#leaf(mixHash(place, hashText(key)), VOLATILE, VOLATILE, VOLATILE);
      } else this.#walk(value, mixHash(place, hashText(key)), ignored);
    }
  }

  /** A sum does not depend on the order of the fields. */
  #leaf(place: number, exact: number, frame: number, shape: number): void {
    const leaf = mixHash(place, exact);
    this.#exact = addHash(this.#exact, leaf);
    // Most leaves hold no number.
    this.#frame = addHash(this.#frame, frame === exact ? leaf : mixHash(place, frame));
    this.#shape = addHash(this.#shape, shape === exact ? leaf : mixHash(place, shape));
  }
}
