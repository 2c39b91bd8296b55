import { createParser, type EventSourceParser } from 'eventsource-parser';
import { fieldsOf, recordsOf } from '../fields.ts';
import type { AnswerReader, WireAnswer, WireFormat } from '../formats/format.ts';

/** The end of an event: an empty line. */
const BLOCK_END = /\r\n\r\n|\n\n|\r\r/g;
/** A stream that sends more than this without the end of an event is passed on unread. */
const MAX_BLOCK = 1_000_000;

/** Reads the events of a stream as its bytes pass through. */
export class StreamReader {
  readonly #hidesUsage: boolean;
  readonly #reader: AnswerReader;
  readonly #parser: EventSourceParser;
  readonly #decoder = new TextDecoder();
  readonly #encoder = new TextEncoder();
  /** What has come of an event that is not whole. */
  #rest = '';
  #isHidden = false;
  #isUnreadable = false;

  /** With `hidesUsage`, events that hold nothing but usage are kept back. */
  constructor(format: WireFormat, hidesUsage: boolean) {
    this.#hidesUsage = hidesUsage;
    this.#reader = format.streamReader();
    this.#parser = createParser({ onEvent: ({ data }) => this.#add(data) });
  }

  /** What has come so far. */
  get answer(): WireAnswer {
    return this.#reader.answer;
  }

  /** Takes bytes, and returns those to be passed on. */
  take(bytes: Uint8Array): Uint8Array {
    if (this.#isUnreadable) return bytes;
    const text = this.#decoder.decode(bytes, { stream: true });
    const events = this.#whole(text);
    if (this.#rest.length > MAX_BLOCK) return this.#giveUp(bytes, events);
    const shown = events.filter((event) => this.#isShown(event));
    return this.#hidesUsage ? this.#encoder.encode(shown.join('')) : bytes;
  }

  /** What is left to be passed on at the end. */
  end(): Uint8Array {
    const rest = this.#rest + this.#decoder.decode();
    this.#rest = '';
    const isShown = rest !== '' && this.#isShown(`${rest}\n\n`);
    return this.#encoder.encode(this.#hidesUsage && isShown ? rest : '');
  }

  /** The events that are whole with this text. */
  #whole(text: string): readonly string[] {
    const from = Math.max(0, this.#rest.length - 3);
    const held = this.#rest + text;
    const events: string[] = [];
    let start = 0;
    BLOCK_END.lastIndex = from;
    for (let end = BLOCK_END.exec(held); end !== null; end = BLOCK_END.exec(held)) {
      events.push(held.slice(start, BLOCK_END.lastIndex));
      start = BLOCK_END.lastIndex;
    }
    this.#rest = held.slice(start);
    return events;
  }

  /** Reads an event, and says whether it is passed on. */
  #isShown(event: string): boolean {
    this.#isHidden = false;
    this.#parser.feed(event);
    return !(this.#hidesUsage && this.#isHidden);
  }

  #giveUp(bytes: Uint8Array, events: readonly string[]): Uint8Array {
    this.#isUnreadable = true;
    const held = this.#hidesUsage ? this.#encoder.encode(events.join('') + this.#rest) : bytes;
    this.#rest = '';
    return held;
  }

  #add(data: string): void {
    if (!data.startsWith('{')) return;
    try {
      const event = fieldsOf(JSON.parse(data));
      this.#reader.add(event);
      this.#isHidden =
        Array.isArray(event.choices) &&
        recordsOf(event.choices).length === 0 &&
        event.usage != null;
    } catch {
      // No JSON: the caller sees it as it came.
    }
  }
}
