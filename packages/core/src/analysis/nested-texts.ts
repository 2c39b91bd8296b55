import type { JsonValue } from '../json.ts';
import { hashText, mixHash } from './hash.ts';
import { RecentMap } from './recent-map.ts';
import { restoredList, restoredNumber, restoredNumbers, restoredRecord } from './restored.ts';
import { isNewsworthy } from './text/idleness.ts';
import { News } from './text/news.ts';
import { Recall } from './text/recall.ts';
import type { TextReader } from './text/text-reader.ts';
import { Vocabulary } from './text/vocabulary.ts';

const MAX_TERMS = 2048;
const MAX_FRAMES = 64;
const MAX_NUMBERS = 16;
/** Tasks and results after which a word counts as new again. */
const HORIZON_TEXTS = 32;
/** A task is no fact, so that it takes as many fresh words as where facts are usual. */
const FACT_RATE_OF_TASKS = 1;

/**
 * Reads what nested chats are asked for, and what they come back with.
 *
 * Both are compared with their own kind alone, not with what was said around them or in the chats: a result has mostly
 * been said in the chat just before, and is new outside all the same.
 */
export class NestedTexts {
  readonly #newsShare: number;
  readonly #vocabulary: Vocabulary = new Vocabulary(MAX_TERMS);
  readonly #news: News = new News();
  readonly #recall: Recall = new Recall();
  /** The latest numbers in texts that are equal but for them. */
  readonly #numbers: RecentMap<number, readonly number[]> = new RecentMap(MAX_FRAMES);
  #turn = 0;

  /** From a share of `newsShare` new words on, a result is another one. */
  constructor(newsShare: number) {
    this.#newsShare = newsShare;
  }

  /**
   * Whether the task that `reader` has read is another one than those `agent` gave before, not the same in other words.
   *
   * It is with another name or number in it, or another item in the same frame. New words alone do not tell, unless none
   * of the old is left or they are many.
   */
  isOtherTask(agent: string, reader: TextReader): boolean {
    const author = `task ${agent}`;
    const movement = this.#move(author, reader);
    const news = this.#take(author, reader);
    const place = { agent: author, index: this.#turn, unanswered: 0 };
    const isItem = this.#recall.compare(place, reader, news).likeness === 'item';
    const hasNothingOld = news.content > 0 && news.words === news.content;
    const isOther = isItem || hasNothingOld || movement !== 'none';
    return isOther || isNewsworthy(news, FACT_RATE_OF_TASKS);
  }

  /**
   * Whether the result that `reader` has read says something that those of `agent` before did not.
   *
   * It does with another number in place of the old, unless that only counts up, and with mostly new words.
   */
  isOtherResult(agent: string, reader: TextReader, factRate: number): boolean {
    const author = `result ${agent}`;
    const movement = this.#move(author, reader);
    const news = this.#take(author, reader);
    if (movement === 'counted') news.ignoreNumbers();
    const hasOtherWords = news.content > 0 && news.words / news.content >= this.#newsShare;
    return movement === 'moved' || hasOtherWords || isNewsworthy(news, factRate);
  }

  clear(): void {
    this.#vocabulary.clear();
    this.#recall.clear();
    this.#numbers.clear();
    this.#turn = 0;
  }

  snapshot(): JsonValue {
    return {
      vocabulary: this.#vocabulary.snapshot(),
      recall: this.#recall.snapshot(),
      numbers: this.#numbers.entries().map(([frame, numbers]) => [frame, [...numbers]]),
      turn: this.#turn,
    };
  }

  /** @throws {@link InvalidSnapshotError} */
  restore(path: string, snapshot: unknown): void {
    const { vocabulary, recall, numbers, turn } = restoredRecord(path, snapshot);
    this.#vocabulary.restore(`${path}.vocabulary`, vocabulary);
    this.#recall.restore(`${path}.recall`, recall);
    this.#numbers.clear();
    for (const entry of restoredList(`${path}.numbers`, numbers)) {
      const [frame, latest] = restoredList(`${path}.numbers`, entry);
      this.#numbers.set(
        restoredNumber(`${path}.numbers`, frame),
        restoredNumbers(`${path}.numbers`, latest),
      );
    }
    this.#turn = restoredNumber(`${path}.turn`, turn);
  }

  #take(author: string, reader: TextReader): News {
    this.#news.take(reader, this.#vocabulary, ++this.#turn, HORIZON_TEXTS, hashText(author));
    return this.#news;
  }

  /** How the numbers of a text have changed since the same was said with others: a counter goes up by one. */
  #move(author: string, { masked, numbers }: TextReader): 'none' | 'counted' | 'moved' {
    if (numbers.length === 0 || numbers.length > MAX_NUMBERS) return 'none';
    const frame = mixHash(hashText(author), masked);
    const before = this.#numbers.get(frame) ?? numbers;
    this.#numbers.set(frame, [...numbers]);
    const steps = numbers.map((number, i) => number - (before[i] ?? number));
    if (steps.every((step) => step === 0)) return 'none';
    return steps.every((step) => step === 0 || step === 1) ? 'counted' : 'moved';
  }
}
