import type { JsonValue } from '../json.ts';
import type { News } from './news.ts';
import { RecentMap } from './recent-map.ts';
import { restoredList, restoredNumber, restoredNumbers, restoredText } from './restored.ts';
import { has, lacksAny, type Sketch, similarity, sketch } from './sketch.ts';
import { NAME, PLAIN, type TextReader } from './text-reader.ts';

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
/** Of longer messages only the beginning is compared. */
const MAX_TOKENS = 256;

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

/** A message as far as it is compared. Only the first `count` tokens and types are its own: arrays are used again. */
interface Said {
  readonly tokens: number[];
  readonly types: number[];
  readonly sketch: number[];
  count: number;
  terms: number;
}

/** Longer messages are remembered for longer, as far as their terms go. */
const MIN_LONG_TOKENS = 40;
const REMEMBERED_LONG = 8;
const REVISIT_SIMILARITY = 0.95;

interface LongMessage {
  readonly index: number;
  readonly sketch: Sketch;
}

interface Author {
  readonly said: Said[];
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
  readonly #saidBy: RecentMap<string, Author> = new RecentMap(MAX_AGENTS);
  /** What the next message is read into. */
  #spare: Said = newSaid();

  /** Compares what `reader` has read with the latest messages of its author, and remembers it. */
  compare({ agent, index, unanswered }: Place, reader: TextReader, news: News): Recalled {
    const { said: earlier, long } = this.#saidBy.use(agent, () => ({ said: [], long: [] }));
    const now = this.#spare;
    readSaid(reader, now);
    const revisits = revisit(long, index, reader, news);
    const isRestated = isRestatement(earlier, unanswered, now);
    const isItem = !isRestated && earlier.some((before) => isItemAfter(before, now, reader, news));
    const last = earlier.at(-1);
    const oldest = earlier.length === REMEMBERED ? earlier.shift() : undefined;
    this.#spare = oldest ?? newSaid();
    earlier.push(now);
    const isVariant = isRestated || (last !== undefined && isVariantOf(last, now, news));
    const resemblance = last === undefined ? 0 : similarity(last.sketch, now.sketch);
    return { likeness: isItem ? 'item' : isVariant ? 'variant' : 'other', resemblance, revisits };
  }

  clear(): void {
    this.#saidBy.clear();
  }

  snapshot(): JsonValue {
    return this.#saidBy.entries().map(([agent, { said, long }]) => ({
      agent,
      said: said.map(saidSnapshot),
      long: long.map(({ index, sketch }) => [index, ...sketch]),
    }));
  }

  /** @throws {@link InvalidSnapshotError} */
  restore(path: string, snapshot: unknown): void {
    this.#saidBy.clear();
    for (const entry of restoredList(path, snapshot)) {
      const { agent, said, long } = Object(entry);
      this.#saidBy.set(restoredText(`${path}.agent`, agent), {
        said: restoredList(`${path}.said`, said).map((one) => restoreSaid(path, one)),
        long: restoredList(`${path}.long`, long).map((one) => restoreLong(path, one)),
      });
    }
  }
}

function newSaid(): Said {
  return { tokens: [], types: [], sketch: [], count: 0, terms: 0 };
}

function readSaid(reader: TextReader, into: Said): void {
  const { tokens, types } = into;
  const count = Math.min(reader.count, MAX_TOKENS);
  let terms = 0;
  for (let i = 0; i < count; i++) {
    const type = reader.types[i] as number;
    types[i] = type;
    // Where frames are compared, all numbers are alike.
    tokens[i] = type > NAME ? NAME : (reader.tokens[i] as number);
    if (type !== PLAIN) terms++;
  }
  sketch(reader, count, into.sketch);
  into.count = count;
  into.terms = terms;
}

/** Finds the long messages that are nearly the same as this one, and remembers it among them. */
function revisit(
  long: LongMessage[],
  index: number,
  reader: TextReader,
  news: News,
): readonly number[] {
  if (reader.count < MIN_LONG_TOKENS) return NONE;
  const own = sketch(reader, reader.count, []);
  const isSame = (other: LongMessage): boolean =>
    similarity(other.sketch, own) >= REVISIT_SIMILARITY;
  const revisits = news.weight === 0 ? long.filter(isSame).map((other) => other.index) : NONE;
  if (long.length === REMEMBERED_LONG) long.shift();
  long.push({ index, sketch: own });
  return revisits;
}

function isItemAfter(before: Said, now: Said, reader: TextReader, news: News): boolean {
  const a = before.tokens;
  const b = now.tokens;
  const shorter = Math.min(before.count, now.count);
  let head = 0;
  while (head < shorter && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < shorter - head && a[before.count - 1 - tail] === b[now.count - 1 - tail]) tail++;
  const same = head + tail;
  // What only adds words to the old text is the old text in more words.
  if (same === 0 || same === before.count || now.count > before.count * MAX_GROWTH) return false;
  if (same === now.count) return now.count >= MIN_ITEM_TOKENS;
  const share = same / Math.max(before.count, now.count);
  if (share >= FRAME_WITH_EXCHANGE) {
    const isExchange =
      hasTerm(before.types, head, before.count - tail) &&
      isMostlyOther(before.sketch, reader, head, now.count - tail);
    if (isExchange) return true;
  }
  return head > 0 && share >= FRAME_WITH_NEWS && hasNews(news, now, head, now.count - tail);
}

function isVariantOf(before: Said, now: Said, news: News): boolean {
  if (now.terms < MIN_VARIANT_TERMS || now.count === MAX_TOKENS) return false;
  // What puts something new in the place of something else is not the same in other words.
  if (news.words + news.names > 0 && lacksAny(before.sketch, now.sketch)) return false;
  return similarity(before.sketch, now.sketch) >= VARIANT_SIMILARITY;
}

/** Whether it asks once more what was asked before the last message, in place of what that one had added to it. */
function isRestatement(earlier: readonly Said[], unanswered: number, now: Said): boolean {
  const last = earlier.at(-1);
  if (last === undefined || unanswered < 2 || !lacksAny(last.sketch, now.sketch)) return false;
  for (let back = 2; back <= Math.min(unanswered, earlier.length); back++) {
    const { terms, sketch } = earlier[earlier.length - back] as Said;
    const isWhole = terms >= MIN_VARIANT_TERMS && now.terms <= MAX_RESTATED_GROWTH * terms;
    if (isWhole && !lacksAny(sketch, now.sketch)) return true;
  }
  return false;
}

/** Whether a slot holds something new; in a long message it has to be more than a small word. */
function hasNews({ isNew }: News, { types, count }: Said, from: number, to: number): boolean {
  const isLong = count >= MIN_LONG_TOKENS;
  for (let i = from; i < to; i++) {
    if (isNew[i] === 1 && !(isLong && types[i] === PLAIN)) return true;
  }
  return false;
}

function hasTerm(types: readonly number[], from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (types[i] !== PLAIN) return true;
  return false;
}

function restoreLong(path: string, value: unknown): LongMessage {
  const [index, ...sketch] = restoredNumbers(path, value);
  return { index: restoredNumber(path, index), sketch };
}

/** Whether a slot holds more that the message before did not have than what it had elsewhere or in another order. */
function isMostlyOther(before: Sketch, reader: TextReader, from: number, to: number): boolean {
  let balance = 0;
  for (let i = from; i < to; i++) {
    if (reader.types[i] !== PLAIN) balance += has(before, reader.terms[i] as number) ? -1 : 1;
  }
  return balance > 0;
}

function saidSnapshot({ tokens, types, sketch, count, terms }: Said): JsonValue {
  return {
    tokens: tokens.slice(0, count),
    types: types.slice(0, count),
    sketch: [...sketch],
    terms,
  };
}

function restoreSaid(path: string, value: unknown): Said {
  const said = Object(value);
  const tokens = [...restoredNumbers(`${path}.tokens`, said.tokens)];
  return {
    tokens,
    types: [...restoredNumbers(`${path}.types`, said.types)],
    sketch: [...restoredNumbers(`${path}.sketch`, said.sketch)],
    count: tokens.length,
    terms: restoredNumber(`${path}.terms`, said.terms),
  };
}
