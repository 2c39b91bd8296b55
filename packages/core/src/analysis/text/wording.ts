import type { JsonValue } from '../../json.ts';
import { restoredNumber, restoredNumbers, restoredRecord } from '../restored.ts';
import type { News } from './news.ts';
import { Sketch } from './sketch.ts';
import type { TextReader } from './text-reader.ts';
import { NAME, PLAIN } from './token.ts';

/** Of longer messages only the beginning is compared. */
const MAX_TOKENS = 256;
/** From this size on a message is long. */
export const MIN_LONG_TOKENS = 40;

/** A message as far as later ones are compared with it, in arrays that are used again. */
export class Wording {
  readonly sketch: Sketch = new Sketch();
  readonly #tokens: Int32Array = new Int32Array(MAX_TOKENS);
  readonly #types: Uint8Array = new Uint8Array(MAX_TOKENS);
  /** How many tokens and types there are; what comes after them is left from an earlier message. */
  #count = 0;
  #terms = 0;

  /** How many tokens there are. */
  get count(): number {
    return this.#count;
  }

  /** How many of them mean something. */
  get terms(): number {
    return this.#terms;
  }

  /** Whether there was more than is compared. */
  get isCut(): boolean {
    return this.#count === MAX_TOKENS;
  }

  /** Takes in what `reader` has read. */
  read(reader: TextReader): void {
    const { tokens, types } = reader;
    const ownTokens = this.#tokens;
    const ownTypes = this.#types;
    const count = Math.min(reader.count, MAX_TOKENS);
    for (let i = 0; i < count; i++) {
      const type = types[i] as number;
      ownTypes[i] = type;
      // Where frames are compared, all numbers are alike.
      ownTokens[i] = type > NAME ? NAME : (tokens[i] as number);
    }
    this.#count = count;
    this.#terms = this.sketch.draw(reader, count);
  }

  /** How many tokens are the same from the beginning on. */
  headLike(other: Wording): number {
    const length = Math.min(this.#count, other.#count);
    let head = 0;
    while (head < length && this.#tokens[head] === other.#tokens[head]) head++;
    return head;
  }

  /** How many tokens are the same from the end on, those of a `head` not counted again. */
  tailLike(other: Wording, head: number): number {
    const length = Math.min(this.#count, other.#count) - head;
    const last = this.#count - 1;
    const otherLast = other.#count - 1;
    let tail = 0;
    while (tail < length && this.#tokens[last - tail] === other.#tokens[otherLast - tail]) tail++;
    return tail;
  }

  /** Whether a slot holds a token that means something. */
  hasTerm(from: number, to: number): boolean {
    for (let i = from; i < to; i++) if (this.#types[i] !== PLAIN) return true;
    return false;
  }

  /** Whether a slot holds something new; in a long message it has to be more than a small word. */
  hasNews({ isNew }: News, from: number, to: number): boolean {
    const isLong = this.#count >= MIN_LONG_TOKENS;
    for (let i = from; i < to; i++) {
      if (isNew[i] === 1 && !(isLong && this.#types[i] === PLAIN)) return true;
    }
    return false;
  }

  snapshot(): JsonValue {
    return {
      tokens: [...this.#tokens.subarray(0, this.#count)],
      types: [...this.#types.subarray(0, this.#count)],
      sketch: this.sketch.snapshot(),
      terms: this.#terms,
    };
  }

  /** @throws {@link InvalidSnapshotError} */
  restore(path: string, snapshot: unknown): this {
    const { tokens, types, sketch, terms } = restoredRecord(path, snapshot);
    const kept = restoredNumbers(`${path}.tokens`, tokens).slice(0, MAX_TOKENS);
    this.#tokens.set(kept);
    this.#types.set(restoredNumbers(`${path}.types`, types).slice(0, MAX_TOKENS));
    this.sketch.restore(`${path}.sketch`, sketch);
    this.#count = kept.length;
    this.#terms = restoredNumber(`${path}.terms`, terms);
    return this;
  }
}
