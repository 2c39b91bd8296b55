import { fieldsOf } from '../fields.ts';
import type { AnswerReader, WireAnswer, WireFormat } from '../formats/format.ts';
import { errorIn } from './error-in.ts';
import { MAX_BODY_BYTES } from './read-whole.ts';
import type { ReaderOptions } from './stream-reader.ts';

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Reads the entries of a list in JSON, each of which is an event, as its bytes pass through. In UTF-8, no byte of its signs is in others. */
export class ListReader {
  readonly #format: WireFormat;
  readonly #onPiece: ReaderOptions['onPiece'];
  readonly #reader: AnswerReader;
  /** What has come of an entry that is not whole, and how many bytes it has. */
  #pieces: string[] = [];
  #length = 0;
  /** How deep the latest byte lies in its entry; 0 outside. */
  #depth = 0;
  #decoder = new TextDecoder();
  #isText = false;
  #isEscaped = false;
  #error: Error | undefined;

  constructor(format: WireFormat, { onPiece }: Pick<ReaderOptions, 'onPiece'>) {
    this.#format = format;
    this.#onPiece = onPiece;
    this.#reader = format.streamReader();
  }

  /** What has come so far. */
  get answer(): WireAnswer {
    return this.#reader.answer;
  }

  /** The error that an entry holds, if any. */
  get error(): Error | undefined {
    return this.#error;
  }

  /** Takes bytes, and returns those to be passed on: none after the entry that is enough. */
  take(bytes: Uint8Array): Uint8Array {
    let start = 0;
    for (let at = 0; at < bytes.length; at++) {
      const isInside = this.#depth > 0;
      this.#step(bytes[at] as number);
      if (!isInside) start = at;
      if (!isInside || this.#depth > 0) continue;
      this.#hold(bytes.subarray(start, at + 1));
      if (this.#isEnough()) return bytes.subarray(0, at + 1);
    }
    if (this.#depth > 0) this.#hold(bytes.subarray(start));
    return bytes;
  }

  /** What is left to be passed on at the end. */
  end(): Uint8Array {
    return new Uint8Array();
  }

  #step(byte: number): void {
    if (this.#isText) {
      if (byte === QUOTE && !this.#isEscaped) this.#isText = false;
      this.#isEscaped = byte === BACKSLASH && !this.#isEscaped;
    } else if (byte === OPEN_OBJECT || (byte === OPEN_LIST && this.#depth > 0)) {
      this.#depth++;
    } else if (this.#depth > 0) {
      if (byte === QUOTE) this.#isText = true;
      else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) this.#depth--;
    }
  }

  /** A longer entry is not read, such as one with very large pictures. */
  #hold(bytes: Uint8Array): void {
    this.#length += bytes.length;
    if (this.#length > MAX_BODY_BYTES) this.#pieces = [];
    else this.#pieces.push(this.#decoder.decode(bytes, { stream: true }));
  }

  /** Reads an entry that is whole, and says whether it is enough. */
  #isEnough(): boolean {
    const text = this.#pieces.join('');
    this.#pieces = [];
    this.#length = 0;
    this.#decoder = new TextDecoder();
    try {
      const event = fieldsOf(JSON.parse(text));
      this.#reader.add(event);
      this.#error ??= errorIn(event);
      return this.#format.piecesOf(event).filter((piece) => this.#onPiece(piece)).length > 0;
    } catch {
      // No JSON: the caller sees it as it came.
      return false;
    }
  }
}
