import { createParser, type EventSourceParser } from 'eventsource-parser';
import { fieldsOf, recordsOf } from '../fields.ts';
import type { AnswerReader, Piece, WireAnswer, WireFormat } from '../formats/format.ts';
import { errorIn } from './error-in.ts';
import { MAX_BODY_BYTES } from './read-whole.ts';

/** The end of a line. An empty line ends an event. */
const LINE_END = /\r\n|\n|\r/g;
/** The characters that end lines: in UTF-8, their bytes are in no others. */
const LINE_UNIT = /[\r\n]/g;
const CR = 0x0d;
const LF = 0x0a;
/** Those that are no LF alone. Not the same expression: replacing moves its place. */
const OTHER_ENDS = /\r\n?/g;
/** The mark of UTF-8 may stand before all events. */
const MARK = /^\ufeff/;
/** A longer event holds more than usage, and is passed on as it comes. */
const MAX_HELD = 65_536;
/** A longer event is not read, such as one with very large pictures. */
const MAX_EVENT = MAX_BODY_BYTES;

/** How a {@link StreamReader} reads. */
export interface ReaderOptions {
  /** Whether events that hold nothing but usage are kept back. */
  readonly hidesUsage: boolean;
  /** Receives what comes of the answer. Returns whether it is enough: nothing is passed on after this event. */
  readonly onPiece: (piece: Piece) => boolean;
}

/** Reads the events of a stream as its bytes pass through. */
export class StreamReader {
  readonly #format: WireFormat;
  readonly #options: ReaderOptions;
  readonly #reader: AnswerReader;
  readonly #parser: EventSourceParser;
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  readonly #encoder = new TextEncoder();
  /** What has come of an event that is not whole, and how long it is. */
  #pieces: string[] = [];
  #length = 0;
  /** Whether its beginning was passed on. */
  #isPassing = false;
  /** Whether nothing has come of the current line. */
  #isBlank = true;
  /** Whether the latest character was a CR, whose LF may follow. */
  #isAfterCr = false;
  #error: Error | undefined;
  #wasShown = true;
  #isHidden = false;
  /** Whether nothing more is to be passed on, and how many ends of lines are of what came last. */
  #isEnough = false;
  #lines = 0;

  constructor(format: WireFormat, options: ReaderOptions) {
    this.#format = format;
    this.#options = options;
    this.#reader = format.streamReader();
    this.#parser = createParser({ onEvent: ({ data }) => this.#add(data) });
  }

  /** What has come so far. */
  get answer(): WireAnswer {
    return this.#reader.answer;
  }

  /** The error that an event holds, if any. */
  get error(): Error | undefined {
    return this.#error;
  }

  /** Takes bytes, and returns those to be passed on. */
  take(bytes: Uint8Array): Uint8Array {
    const text = this.#decoder.decode(bytes, { stream: true });
    const shown = this.#read(text);
    if (this.#options.hidesUsage) return this.#encoder.encode(shown);
    return this.#isEnough ? firstLines(bytes, this.#lines) : bytes;
  }

  /** What is left to be passed on at the end. */
  end(): Uint8Array {
    let shown = this.#read(this.#decoder.decode());
    if (this.#length > 0) {
      const rest = this.#pieces.join('');
      const isShown = this.#isShown(`${rest}\n\n`);
      if (isShown && !this.#isPassing) shown += rest;
    }
    return this.#encoder.encode(this.#options.hidesUsage ? shown : '');
  }

  /** Reads the events that are whole with this text. Returns what is to be shown of all that has come. */
  #read(text: string): string {
    let shown = '';
    let start = 0;
    let line = 0;
    if (this.#isAfterCr && text.startsWith('\n')) {
      line = 1;
      // The CR alone has ended the event.
      if (this.#length === 0) {
        start = 1;
        shown = this.#wasShown ? '\n' : '';
      }
    }
    LINE_END.lastIndex = line;
    for (let end = LINE_END.exec(text); end !== null; end = LINE_END.exec(text)) {
      const isEmpty = end.index === line && (line > 0 || this.#isBlank);
      line = LINE_END.lastIndex;
      if (!isEmpty) continue;
      shown += this.#ended(text.slice(start, line));
      start = line;
      if (this.#isEnough) {
        this.#lines = text.slice(0, line).match(LINE_UNIT)?.length ?? 0;
        return shown;
      }
    }
    if (text !== '') {
      this.#isBlank = line === text.length;
      this.#isAfterCr = text.endsWith('\r');
    }
    return shown + this.#held(text.slice(start));
  }

  /** The event ends with this text. */
  #ended(text: string): string {
    const event = this.#pieces.join('') + text;
    const isPassing = this.#isPassing;
    const isWhole = this.#length + text.length <= MAX_EVENT;
    this.#pieces = [];
    this.#length = 0;
    this.#isPassing = false;
    const isShown = !isWhole || this.#isShown(event);
    this.#wasShown = isPassing || isShown;
    if (isPassing) return text;
    return isShown ? event : '';
  }

  /** The event goes on with this text. */
  #held(text: string): string {
    if (text === '') return '';
    this.#pieces.push(text);
    this.#length += text.length;
    if (this.#length <= MAX_HELD) return '';
    const passed = this.#isPassing ? text : this.#pieces.join('');
    if (this.#length > MAX_EVENT) this.#pieces = [];
    this.#isPassing = true;
    return passed;
  }

  /** Reads an event, and says whether it is passed on. */
  #isShown(event: string): boolean {
    this.#isHidden = false;
    // At a CR, the parser waits for the LF that may follow.
    const plain = event.includes('\r') ? event.replace(OTHER_ENDS, '\n') : event;
    this.#parser.feed(plain.replace(MARK, ''));
    return !(this.#options.hidesUsage && this.#isHidden);
  }

  #add(data: string): void {
    if (!data.trimStart().startsWith('{')) return;
    try {
      const event = fieldsOf(JSON.parse(data));
      this.#reader.add(event);
      this.#error ??= errorIn(event);
      const pieces = this.#format.piecesOf(event);
      for (const piece of pieces) this.#isEnough = this.#options.onPiece(piece) || this.#isEnough;
      this.#isHidden =
        Array.isArray(event.choices) &&
        recordsOf(event.choices).length === 0 &&
        event.usage != null;
    } catch {
      // No JSON: the caller sees it as it came.
    }
  }
}

/** The bytes until a number of ends of lines. */
function firstLines(bytes: Uint8Array, lines: number): Uint8Array {
  let end = 0;
  for (let left = lines; left > 0 && end < bytes.length; end++) {
    if (bytes[end] === LF || bytes[end] === CR) left--;
  }
  return bytes.subarray(0, end);
}
