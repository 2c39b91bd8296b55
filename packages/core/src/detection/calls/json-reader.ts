import { addHash, hashText, mixHash } from '../../common/hash.ts';
import type { JsonValue } from '../../common/json.ts';
import type { TextReader } from '../text/reader/text-reader.ts';
import { estimateTokens } from '../text/token-estimate.ts';

/** More texts and numbers are not read, but compared to the letter. */
const MAX_READ = 20_000;
/** Tokens of the punctuation around a text, a number or a name. */
const MARKS = 0.5;
/** Names of fields that hold a duration, by their unit or by what services call it. A bare `time` may be one that a simulation has reached. */
const DURATION_FIELD =
  /(?:^|_)[mnuµ]?s$|[a-z](?:Ms|Us|Ns)$|(?:^|_)(?:took|elapsed|duration|latency|(?:response|execution|processing|query)_?[tT]ime)(?:_?[sS]econds|_?[mM]illis(?:econds)?)?$|[a-z](?:Took|Elapsed|Duration|Latency|(?:Response|Execution|Processing|Query)Time)(?:Seconds|Millis(?:econds)?)?$/;
const VOLATILE = 1;

/** Passes the texts and numbers of JSON to a {@link TextReader}. */
export class JsonReader {
  readonly #reader: TextReader;
  #values = 0;
  #tokens = 0;
  #literal = 0;
  #masked = 0;
  /** Whether to read texts and tokens, or only the {@link literal}. */
  #isReading = true;

  constructor(reader: TextReader) {
    this.#reader = reader;
  }

  /** Equal for JSON that differs only in the order of fields and in empty ones. */
  get literal(): number {
    return this.#literal;
  }

  /** Equal also for JSON that differs in volatile values. */
  get masked(): number {
    return this.#masked;
  }

  /** Estimated tokens of the latest JSON. */
  get tokens(): number {
    return Math.ceil(this.#tokens);
  }

  /** Reads `value` without the fields named in `ignored`. */
  read(value: JsonValue, ignored: ReadonlySet<string>): void {
    this.#isReading = true;
    this.#start(value, ignored);
  }

  /** Only the {@link literal} of `value`, which is much faster than reading. */
  literalOf(value: JsonValue, ignored: ReadonlySet<string>): number {
    this.#isReading = false;
    this.#start(value, ignored);
    return this.#literal;
  }

  #start(value: JsonValue, ignored: ReadonlySet<string>): void {
    this.#values = 0;
    this.#tokens = 0;
    this.#literal = 0;
    this.#masked = 0;
    this.#walk(value, 0, ignored);
  }

  #walk(value: JsonValue, place: number, ignored: ReadonlySet<string>): void {
    if (value === null) return;
    if (typeof value === 'object') {
      if (Array.isArray(value)) {
        for (const [i, item] of value.entries()) this.#walk(item, mixHash(place, i), ignored);
      } else this.#walkFields(value as { readonly [key: string]: JsonValue }, place, ignored);
      return;
    }
    const text = String(value);
    const literal = hashText(text);
    this.#leaf(place, literal, this.#isReading ? this.#readText(text, literal) : literal);
  }

  /** Returns a hash of the text without what is volatile. */
  #readText(text: string, literal: number): number {
    this.#tokens += MARKS + estimateTokens(text);
    if (++this.#values > MAX_READ) return literal;
    this.#reader.begin();
    this.#reader.read(text);
    return this.#reader.literal;
  }

  #walkFields(
    fields: { readonly [key: string]: JsonValue },
    place: number,
    ignored: ReadonlySet<string>,
  ): void {
    for (const key of Object.keys(fields)) {
      const value = fields[key];
      if (value === undefined || value === null) continue;
      if (this.#isReading) this.#tokens += MARKS + estimateTokens(key);
      const field = mixHash(place, hashText(key));
      if (ignored.has(key)) this.#tokens += estimateTokens(JSON.stringify(value));
      else if (typeof value === 'number' && DURATION_FIELD.test(key)) {
        this.#tokens += 1;
        this.#leaf(field, hashText(String(value)), VOLATILE);
      } else this.#walk(value, field, ignored);
    }
  }

  /** A sum does not depend on the order of the fields. */
  #leaf(place: number, literal: number, masked: number): void {
    this.#literal = addHash(this.#literal, mixHash(place, literal));
    this.#masked = addHash(this.#masked, mixHash(place, masked));
  }
}
