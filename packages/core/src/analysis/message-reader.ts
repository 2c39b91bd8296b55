import type { JsonValue } from '../json.ts';
import {
  DATA_SHARE,
  HALF_STALE,
  OUTCOME_TOKENS,
  TINY_WORDS,
  WORDS_AROUND_NUMBERS,
} from '../judgement.ts';
import type { MessageSignal } from '../signal/signal.ts';
import { type Codec, number, record, type Stateful, text } from '../state/codec.ts';
import type { SignalFeatures } from './analyzed-signal.ts';
import { readReply } from './failures/failure.ts';
import { hashText, mixHash } from './hash.ts';
import type { Memory } from './memory.ts';
import { codeIn } from './text/fenced-code.ts';
import { carriesBelow, firstUnitOf, headOf } from './text/line-head.ts';
import { countSelfRepetitions } from './text/self-repetitions.ts';
import type { WordStaleness } from './word-staleness.ts';

const MESSAGE = 1;
const OUTCOME = 2;
const CODE = 3;
const QUOTE = '\n>';
const QUOTED_LINE = /^>.*$/gm;
/** `3. Costs`, `AnalyzedSignal 3:` */
const PART = /^\P{L}{0,4}(?:\p{L}{1,16} )?(\d{1,4})(?![\d.,:/-]\d)/u;

interface LastMessage {
  readonly agent: string;
  /** Hash of the code in it; 0 if there was none. */
  readonly code: number;
  /** Hash of its first line; 0 if it was empty. */
  readonly head: number;
}

const LAST: Codec<LastMessage> = record<LastMessage>({
  agent: text,
  code: number,
  head: number,
});
const NOWHERE: readonly number[] = [];
const NONE: LastMessage = { agent: '', code: 0, head: 0 };

/** Reads messages: how much they bring, and whether their author has said or shown the same before. */
export class MessageReader implements Stateful {
  readonly #memory: Memory;
  readonly #words: WordStaleness;
  #last: LastMessage = NONE;
  /** What its first line begins with; not known after a restart. */
  #first: number | undefined;

  constructor(memory: Memory, words: WordStaleness) {
    this.#memory = memory;
    this.#words = words;
  }

  read({ text, agent, to = '' }: MessageSignal): SignalFeatures {
    const memory = this.#memory;
    const { reader, index } = memory;
    reader.read(text.includes(QUOTE) ? withoutQuotes(text) : text);
    const news = memory.take();
    memory.sketch.draw(reader);
    const author = memory.agent(agent);
    const code = codeIn(text);
    const answered = agent === this.#last.agent || code.hash !== 0 ? 0 : this.#last.code;
    const carries = carriesBelow(text, this.#last.head, this.#first);
    this.#first = firstUnitOf(text);
    this.#last = { agent, code: code.hash, head: headOf(text) };
    const isOutcome = answered !== 0 && reader.count <= OUTCOME_TOKENS;
    const isCounting = this.#isCounting(agent);
    const figures = isCounting ? 0 : news.figures;
    const key = isCounting ? reader.frame : reader.exact;
    const compared = author.history.compare(
      {
        index,
        channel: isOutcome ? OUTCOME : code.hash === 0 ? MESSAGE : CODE,
        key,
        ask: 0,
        outcome: code.hash,
        isSameByOutcome: false,
        isWordy: figures === 0 && !isOutcome,
        sketch: memory.sketch,
      },
      isOutcome
        ? Math.max(author.newResultAt, memory.waitedAt)
        : Math.max(memory.newsAt, memory.waitedAt),
    );
    const { sameness, recurrence, repeats, hasSameOutcome } = compared;
    if (isOutcome && figures > 0 && repeats === 0) {
      author.newResultAt = index;
      memory.resultAt = index;
    }
    const isNewCode = code.hash !== 0 && !hasSameOutcome;
    const isItem = author.isItem(reader) || isNextPart(author, text);
    const isData = reader.signs >= DATA_SHARE * reader.count;
    const isTiny = reader.count <= TINY_WORDS && news.allFigures === 0;
    let staleness: number;
    if (isTiny && news.content < 1) staleness = HALF_STALE;
    else if (repeats > 0) staleness = repeats > 1 && compared.earlier.length > 0 ? 1 : HALF_STALE;
    else staleness = isNewCode || isItem || isData ? 0 : this.#words.of(news, figures);
    const reply = readReply(text, answered !== 0);
    if (reply.failure !== undefined) staleness = memory.failureStaleness(reply.failure);
    const shownBefore = code.isStep ? author.showCode(index, hasSameOutcome, staleness) : NOWHERE;
    const shown = shownBefore.filter((at) => at >= memory.resultAt);
    const earlier = compared.earlier.length >= shown.length ? compared.earlier : shown;
    const match = earlier === shown ? 'words' : compared.match;
    return {
      action: { type: 'said', key, subject: to, earlier, match, isTiny },
      staleness,
      sameness,
      recurrence,
      hasFact: news.allFigures > 0,
      selfRepetitions: countSelfRepetitions(reader, memory.sketch),
      carries,
      ...reply,
    };
  }

  clear(): void {
    this.#last = NONE;
  }

  snapshot(): JsonValue {
    return LAST.write(this.#last);
  }

  restore(path: string, json: unknown): void {
    this.#last = LAST.read(path, json);
    this.#first = undefined;
  }

  /** Whether the author has said the same before with other numbers in it, which only count up. */
  #isCounting(agent: string): boolean {
    const { reader, values } = this.#memory;
    const { numbers, count, frame } = reader;
    if (numbers.length === 0) return false;
    if (count - numbers.length < WORDS_AROUND_NUMBERS) return false;
    return values.change(mixHash(hashText(agent), frame), numbers) === 'counting';
  }
}

/** A text without the lines that it quotes from earlier messages, unless it has no others. */
function withoutQuotes(text: string): string {
  const own = text.replace(QUOTED_LINE, '');
  return own.trim() === '' ? text : own;
}

/** Whether a message begins with the number after the one that its author's latest numbered message began with. */
function isNextPart(author: { partNumber: number }, text: string): boolean {
  const number = Number(PART.exec(text)?.[1] ?? -1);
  if (number < 0) return false;
  const isNext = author.partNumber >= 0 && number === author.partNumber + 1;
  author.partNumber = number;
  return isNext;
}
