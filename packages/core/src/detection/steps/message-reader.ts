import { hashText, mixHash } from '../../common/hash.ts';
import type { MessageSignal } from '../../signal/signal.ts';
import { type Codec, count, list, number, record, text } from '../../state/codec.ts';
import { Saved } from '../../state/stateful.ts';
import type { ReadStep, SignalFeatures } from '../analyzed-signal.ts';
import { readReply } from '../failures/failure.ts';
import {
  type AskHash,
  type ChannelHash,
  type CommandHash,
  keyOf,
  type StepKey,
  UNKNOWN,
} from '../hashes.ts';
import { HALF_STALE, KNOWN_OUTCOME, SAID_AGAIN } from '../judgement.ts';
import type { WordStaleness } from '../suspicion/suspicion-score.ts';
import { codeIn } from '../text/fenced-code.ts';
import { carriesBelow, firstUnitOf, headOf } from '../text/frame.ts';
import { countSelfRepetitions } from '../text/self-repetitions.ts';
import type { News } from '../text/vocabulary.ts';
import type { Memory } from './memory.ts';
import { stalenessOf } from './outcomes.ts';

const MESSAGE = 1 as ChannelHash;
const ANSWER = 2;
const QUOTE = '\n>';
const QUOTED_LINE = /^>.*$/gm;

/** A text at least this share as long as the longest of the latest ones is a draft, and not what is said of it. */
const DRAFT_SHARE = 0.5;
const MAX_SIZES = 8;

/** The latest message, and code without an answer yet. */
interface Latest {
  /** Who wrote the code. */
  agent: string;
  /** 0 if there is none. */
  code: number;
  /** Hash of the first line of the latest message; 0 if it was empty. */
  head: number;
  /** The first unit of that line; unknown after a restart. */
  first?: number;
  /** Sizes of the latest messages, in tokens. */
  sizes: number[];
}

const LATEST: Codec<Latest> = record<Omit<Latest, 'first'>>({
  agent: text,
  code: number,
  head: number,
  sizes: list(count, MAX_SIZES),
});

/**
 * Reads messages: how much is new in them, and the outcome of the code in them.
 *
 * The answer of another agent to a message with code is the outcome of that code: the two messages are one run.
 */
export class MessageReader extends Saved<Latest> {
  readonly #memory: Memory;
  readonly #words: WordStaleness;

  constructor(memory: Memory, words: WordStaleness) {
    super(LATEST, () => ({ agent: '', code: 0, head: 0, sizes: [] }));
    this.#memory = memory;
    this.#words = words;
  }

  read({ text, agent, to = '', role }: MessageSignal): SignalFeatures {
    const memory = this.#memory;
    const { reader, sketch } = memory;
    const latest = this.state;
    const { agent: coder, code: pending } = latest;
    const isAnswer = pending !== 0 && agent !== coder;
    reader.read(text.includes(QUOTE) ? withoutQuotes(text) : text, !isAnswer);
    const news = memory.take();
    sketch.draw(reader);
    const history = memory.history(agent);
    // A message without words may consist of signs, emoji or drawings.
    const said = news.content < 1 ? reader.literal : reader.exact;
    const compared = history.compare(MESSAGE, said as StepKey, sketch);
    const isItem = history.takeMessage(reader);
    const isDraft = this.#takeLength(reader.count);
    const carries = carriesBelow(text, latest.head, latest.first);
    latest.head = headOf(text);
    latest.first = firstUnitOf(text);
    const code = codeIn(text);
    if (code !== 0) {
      latest.agent = agent;
      latest.code = code;
    } else if (isAnswer) this.expectNoAnswer();
    const command = isAnswer ? (pending as CommandHash) : UNKNOWN;
    const { failure, success } = readReply(text, isAnswer, command);
    const hash = hashText(agent);
    let step: ReadStep | undefined;
    let staleness: number;
    let isChange: boolean;
    if (isAnswer) {
      const channel = mixHash(hashText(coder), ANSWER) as ChannelHash;
      const ask = mixHash(channel, command) as AskHash;
      const novelty = memory.outcomes.take(channel, ask, reader.literal, memory.turn);
      const key = keyOf(ask, reader.literal);
      step = { agent: coder, isAct: true, key, isPatient: failure === undefined };
      staleness = stalenessOf(novelty, news.content);
      isChange = staleness === 0;
    } else {
      const ask = mixHash(mixHash(hash, ANSWER), code) as AskHash;
      const isNewCode = code !== 0 && compared.repeats === 0 && !memory.outcomes.hasAsk(ask);
      const isUnanswered = code === 0 || pending !== 0;
      if (isUnanswered && text.trim() !== '') {
        const key = mixHash(hash, reader.literal) as StepKey;
        const { isLong: isSpeech, count } = reader;
        const isReply = role === 'user';
        const isPatient = failure === undefined;
        const isTask = isReply && news.isEdited;
        const isTiny = count <= 1;
        step = { agent, isMessage: true, isReply, isTask, key, isPatient, isSpeech, isTiny };
      }
      staleness = isNewCode ? 0 : this.#staleness(news, compared.repeats, isItem);
      const isEdited = isDraft && news.isEdited;
      isChange = isNewCode || (compared.repeats === 0 && (news.figures > 0 || isItem || isEdited));
    }
    if (failure !== undefined) staleness = memory.failureStaleness(failure);
    return {
      // Not spread, which would take a tenth of the time of a step.
      action: { type: 'said', subject: to },
      step,
      failure,
      success,
      staleness,
      isChange,
      sameness: compared.sameness,
      recurrence: compared.recurrence,
      hasFact: news.allFigures > 0,
      selfRepetitions: isAnswer ? 0 : countSelfRepetitions(reader, sketch),
      carries,
    };
  }

  /** Remembers how long a message is. Returns whether it is at least half as long as the longest of the latest ones. */
  #takeLength(size: number): boolean {
    const { sizes } = this.state;
    if (sizes.push(size) > MAX_SIZES) sizes.shift();
    return size >= DRAFT_SHARE * Math.max(...sizes);
  }

  /** Any other step ends the wait for an answer to the code. */
  expectNoAnswer(): void {
    this.state.agent = '';
    this.state.code = 0;
  }

  /** The staleness of a message by its repetitions, or else by its words. */
  #staleness(news: News, repeats: number, isItem: boolean): number {
    if (repeats > 0) return repeats > 1 ? 1 : SAID_AGAIN;
    if (news.content < 1) return HALF_STALE;
    const staleness = this.#words.of(news);
    return isItem ? Math.min(staleness, KNOWN_OUTCOME) : staleness;
  }
}

/** A text without quoted lines, unless it has no others. */
function withoutQuotes(text: string): string {
  const own = text.replace(QUOTED_LINE, '');
  return own.trim() === '' ? text : own;
}
