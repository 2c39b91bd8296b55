import type { JsonValue } from '../../json.ts';
import { RecentMap } from '../recent-map.ts';
import { restoredList, restoredText } from '../restored.ts';
import { LongMessages, type Recollection } from './long-messages.ts';
import type { News } from './news.ts';
import type { Sketch } from './sketch.ts';
import type { TextReader } from './text-reader.ts';
import { PLAIN } from './token.ts';
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
/** New words that may be added for emphasis; more of them say more. */
const MAX_ADDED_WORDS = 2;
const VARIANT_SIMILARITY = 0.75;
const MIN_VARIANT_TERMS = 5;

interface Author {
  readonly said: Wording[];
  readonly long: LongMessages;
}

const SHORT: Recollection = { revisits: [], reopenings: [] };

/** Where a message stands. */
interface Place {
  readonly agent: string;
  readonly index: number;
  /** How many messages its author has said since anybody else did anything. */
  readonly unanswered: number;
}

/** What {@link Recall} finds. */
export interface Recalled extends Recollection {
  readonly likeness: Likeness;
  /** How similar the message is to the last one of its author, from 0 to 1. */
  readonly resemblance: number;
  /** Whether the message is the last one of its author word for word. */
  readonly isSame: boolean;
  /** How many words, names and numbers were added to the last message of its author, if it holds all of that. */
  readonly addedTerms: number | undefined;
}

/** The latest messages of each agent, to tell how a new one relates to them. */
export class Recall {
  readonly #authors: RecentMap<string, Author> = new RecentMap(MAX_AGENTS);
  /** What the next message is read into. */
  #spare: Wording = new Wording();

  /** Compares what `reader` has read with the latest messages of its author, and remembers it. */
  compare({ agent, index, unanswered }: Place, reader: TextReader, news: News): Recalled {
    const { said, long } = this.#authors.use(agent, newAuthor);
    const now = this.#spare;
    now.read(reader);
    const { revisits, reopenings } =
      reader.count < MIN_LONG_TOKENS ? SHORT : long.take(index, now, reader, news);
    const isRestated = isRestatement(said, unanswered, now);
    const isItem = !isRestated && said.some((before) => isItemAfter(before, now, reader, news));
    const last = said.at(-1);
    this.#spare = dropOldest(said, REMEMBERED) ?? new Wording();
    said.push(now);
    const resemblance = last === undefined ? 0 : last.sketch.similarity(now.sketch);
    const isAlike = last !== undefined && resemblance >= VARIANT_SIMILARITY;
    const isVariant = isRestated || (isAlike && isInOtherWords(last, now, news));
    const likeness = isItem ? 'item' : isVariant ? 'variant' : 'other';
    const addedTerms = last && addedTo(last, now);
    const isSame = last?.count === now.count && now.headLike(last) === now.count;
    return { likeness, resemblance, isSame, addedTerms, revisits, reopenings };
  }

  /**
   * How many of the latest long messages of `agent` were much like its last one, which `reader` has read: 0 if that has
   * a name or a number which none of them had, `undefined` if it is not long.
   */
  recurrences(agent: string, reader: TextReader): number | undefined {
    if (reader.count < MIN_LONG_TOKENS) return undefined;
    return this.#authors.get(agent)?.long.recurrences(reader);
  }

  clear(): void {
    this.#authors.clear();
  }

  snapshot(): JsonValue {
    return this.#authors.entries().map(([agent, { said, long }]) => ({
      agent,
      said: said.map((one) => one.snapshot()),
      long: long.snapshot(),
    }));
  }

  /** @throws {@link InvalidSnapshotError} */
  restore(path: string, snapshot: unknown): void {
    this.#authors.clear();
    for (const entry of restoredList(path, snapshot)) {
      const { agent, said, long } = Object(entry);
      this.#authors.set(restoredText(`${path}.agent`, agent), {
        said: restoredList(`${path}.said`, said)
          .slice(-REMEMBERED)
          .map((one) => new Wording().restore(path, one)),
        long: new LongMessages().restore(`${path}.long`, long),
      });
    }
  }
}

function newAuthor(): Author {
  return { said: [], long: new LongMessages() };
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

function addedTo(before: Wording, now: Wording): number | undefined {
  if (now.isCut || now.terms <= before.terms) return undefined;
  const head = now.headLike(before);
  const isWhole = head + now.tailLike(before, head) === before.count;
  return isWhole ? now.terms - before.terms : undefined;
}

/** Whether a message that is nearly the same as the one before it differs from it in its words only. */
function isInOtherWords(before: Wording, now: Wording, news: News): boolean {
  if (now.terms < MIN_VARIANT_TERMS || now.isCut) return false;
  const added = news.words + news.names;
  // What puts something new in the place of something else is not the same in other words.
  return added === 0 || (added <= MAX_ADDED_WORDS && !before.sketch.exceeds(now.sketch));
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

/** Whether a slot holds more that the message before did not have than what it had elsewhere or in another order. */
function isMostlyOther(before: Sketch, reader: TextReader, from: number, to: number): boolean {
  let balance = 0;
  for (let i = from; i < to; i++) {
    if (reader.types[i] !== PLAIN) balance += before.has(reader.terms[i] as number) ? -1 : 1;
  }
  return balance > 0;
}
