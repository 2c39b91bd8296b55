import type { JsonValue } from '../json.ts';
import type { News } from './news.ts';
import { RecentMap } from './recent-map.ts';
import { restoredList, restoredNumber, restoredNumbers, restoredText } from './restored.ts';
import { Sketch } from './sketch.ts';
import { NAME, NUMBER, PLAIN, type TextReader } from './text-reader.ts';
import { MIN_LONG_TOKENS, Wording } from './wording.ts';

/**
 * How a message relates to what its author said shortly before.
 *
 * `item`: the same frame with something else in its slot, or with less in it, as when a list is worked through.
 * `variant`: nearly the same words, and nothing put in the place of something else; or, with no answer in between, all
 * of an earlier message with other words around it.
 */
export type Likeness = 'other' | 'item' | 'variant';

const REMEMBERED = 3;
const MAX_AGENTS = 64;

/** Share of tokens that have to stand at the same end in both, for a frame with something new in its slot. */
const FRAME_WITH_NEWS = 0.5;
/** The same, for a frame in which one known thing has taken the place of another. */
const FRAME_WITH_EXCHANGE = 0.6;
/** A text that grew by more is not the old one with something exchanged. */
const MAX_GROWTH = 1.5;
/** What is left of a list when an item is taken off still has to say something. */
const MIN_ITEM_TOKENS = 4;

/** What is said in full again, with more than as much around it, is a part of something else. */
const MAX_RESTATED_GROWTH = 2;
const VARIANT_SIMILARITY = 0.75;
const MIN_VARIANT_TERMS = 5;

/** Long messages are remembered for longer, as far as their terms go. */
const REMEMBERED_LONG = 16;
const REVISIT_SIMILARITY = 0.95;
/** As alike as the same report written twice, from memory. */
const RECURRENCE_SIMILARITY = 0.5;

interface LongMessage {
  readonly index: number;
  readonly sketch: Sketch;
}

interface Author {
  readonly said: Wording[];
  readonly long: LongMessage[];
}

const NONE: readonly number[] = [];

/** Where a message stands. */
interface Place {
  readonly agent: string;
  readonly index: number;
  /** How many messages its author has said since anybody else did anything. */
  readonly unanswered: number;
}

/** What {@link Recall} finds. */
export interface Recalled {
  readonly likeness: Likeness;
  /** How similar the message is to the last one of its author, from 0 to 1. */
  readonly resemblance: number;
  /** Indices of those of its author's latest long messages that were the same but for their order and a few words. */
  readonly revisits: readonly number[];
}

/** The latest messages of each agent, to tell how a new one relates to them. */
export class Recall {
  readonly #authors: RecentMap<string, Author> = new RecentMap(MAX_AGENTS);
  /** What the next message is read into. */
  #spare: Wording = new Wording();
  #spareSketch: Sketch = new Sketch();

  /** Compares what `reader` has read with the latest messages of its author, and remembers it. */
  compare({ agent, index, unanswered }: Place, reader: TextReader, news: News): Recalled {
    const { said, long } = this.#authors.use(agent, newAuthor);
    const now = this.#spare;
    now.read(reader);
    const revisits = this.#revisit(long, index, reader, news);
    const isRestated = isRestatement(said, unanswered, now);
    const isItem = !isRestated && said.some((before) => isItemAfter(before, now, reader, news));
    const last = said.at(-1);
    this.#spare = dropOldest(said, REMEMBERED) ?? new Wording();
    said.push(now);
    const resemblance = last === undefined ? 0 : last.sketch.similarity(now.sketch);
    const isAlike = last !== undefined && resemblance >= VARIANT_SIMILARITY;
    const isVariant = isRestated || (isAlike && isInOtherWords(last, now, news));
    return { likeness: isItem ? 'item' : isVariant ? 'variant' : 'other', resemblance, revisits };
  }

  /**
   * How many of the latest long messages of `agent` were much like its last one, which `reader` has read: 0 if that has
   * a name or a number which none of them had, `undefined` if it is not long.
   */
  recurrences(agent: string, reader: TextReader): number | undefined {
    const long = this.#authors.get(agent)?.long;
    const own = long?.at(-1)?.sketch;
    if (long === undefined || own === undefined || reader.count < MIN_LONG_TOKENS) return undefined;
    const alike = long
      .slice(0, -1)
      .filter(({ sketch }) => sketch.similarity(own) >= RECURRENCE_SIMILARITY);
    const { terms, types, count } = reader;
    for (let i = 0; i < count; i++) {
      const isFigure = types[i] === NAME || types[i] === NUMBER;
      if (isFigure && !alike.some(({ sketch }) => sketch.has(terms[i] as number))) return 0;
    }
    return alike.length;
  }

  clear(): void {
    this.#authors.clear();
  }

  snapshot(): JsonValue {
    return this.#authors.entries().map(([agent, { said, long }]) => ({
      agent,
      said: said.map((one) => one.snapshot()),
      long: long.map(({ index, sketch }) => [index, ...sketch.snapshot()]),
    }));
  }

  /** @throws {@link InvalidSnapshotError} */
  restore(path: string, snapshot: unknown): void {
    this.#authors.clear();
    for (const entry of restoredList(path, snapshot)) {
      const { agent, said, long } = Object(entry);
      this.#authors.set(restoredText(`${path}.agent`, agent), {
        said: restoredList(`${path}.said`, said).map((one) => new Wording().restore(path, one)),
        long: restoredList(`${path}.long`, long).map((one) => restoreLong(path, one)),
      });
    }
  }

  /** Finds the long messages that are nearly the same as this one, and remembers it among them. */
  #revisit(long: LongMessage[], index: number, reader: TextReader, news: News): readonly number[] {
    if (reader.count < MIN_LONG_TOKENS) return NONE;
    const own = this.#spareSketch;
    own.draw(reader, reader.count);
    const isSame = ({ sketch }: LongMessage): boolean =>
      sketch.similarity(own) >= REVISIT_SIMILARITY;
    const revisits = news.weight === 0 ? long.filter(isSame).map((other) => other.index) : NONE;
    this.#spareSketch = dropOldest(long, REMEMBERED_LONG)?.sketch ?? new Sketch();
    long.push({ index, sketch: own });
    return revisits;
  }
}

function newAuthor(): Author {
  return { said: [], long: [] };
}

/** Takes the first off a list that is full, so that it can be used again. */
function dropOldest<T>(list: T[], capacity: number): T | undefined {
  return list.length === capacity ? list.shift() : undefined;
}

function isItemAfter(before: Wording, now: Wording, reader: TextReader, news: News): boolean {
  const head = now.headLike(before);
  const tail = now.tailLike(before, head);
  const same = head + tail;
  // What only adds words to the old text is the old text in more words.
  if (same === 0 || same === before.count || now.count > before.count * MAX_GROWTH) return false;
  if (same === now.count) return now.count >= MIN_ITEM_TOKENS;
  const share = same / Math.max(before.count, now.count);
  if (share >= FRAME_WITH_EXCHANGE) {
    const isExchange =
      before.hasTerm(head, before.count - tail) &&
      isMostlyOther(before.sketch, reader, head, now.count - tail);
    if (isExchange) return true;
  }
  return head > 0 && share >= FRAME_WITH_NEWS && now.hasNews(news, head, now.count - tail);
}

/** Whether a message that is nearly the same as the one before it differs from it in its words only. */
function isInOtherWords(before: Wording, now: Wording, news: News): boolean {
  if (now.terms < MIN_VARIANT_TERMS || now.isCut) return false;
  // What puts something new in the place of something else is not the same in other words.
  return news.words + news.names === 0 || !before.sketch.exceeds(now.sketch);
}

/** Whether it asks once more what was asked before the last message, in place of what that one had added to it. */
function isRestatement(earlier: readonly Wording[], unanswered: number, now: Wording): boolean {
  const last = earlier.at(-1);
  if (last === undefined || unanswered < 2 || !last.sketch.exceeds(now.sketch)) return false;
  for (let back = 2; back <= Math.min(unanswered, earlier.length); back++) {
    const { terms, sketch } = earlier[earlier.length - back] as Wording;
    const isWhole = terms >= MIN_VARIANT_TERMS && now.terms <= MAX_RESTATED_GROWTH * terms;
    if (isWhole && !sketch.exceeds(now.sketch)) return true;
  }
  return false;
}

function restoreLong(path: string, value: unknown): LongMessage {
  const [index, ...sketch] = restoredNumbers(path, value);
  return { index: restoredNumber(path, index), sketch: new Sketch().restore(path, sketch) };
}

/** Whether a slot holds more that the message before did not have than what it had elsewhere or in another order. */
function isMostlyOther(before: Sketch, reader: TextReader, from: number, to: number): boolean {
  let balance = 0;
  for (let i = from; i < to; i++) {
    if (reader.types[i] !== PLAIN) balance += before.has(reader.terms[i] as number) ? -1 : 1;
  }
  return balance > 0;
}
