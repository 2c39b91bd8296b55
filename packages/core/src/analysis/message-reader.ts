import type { JsonValue } from '../json.ts';
import type { MessageSignal } from '../signal/signal.ts';
import { readOutcome } from './failures/failure.ts';
import { hashText, mixHash } from './hash.ts';
import type { Memory } from './memory.ts';
import { RecentMap } from './recent-map.ts';
import {
  restoredFlag,
  restoredList,
  restoredNumber,
  restoredRecord,
  restoredText,
} from './restored.ts';
import type { Reading } from './step.ts';
import { countChants } from './text/chant.ts';
import {
  idlenessBesideFrozenLine,
  idlenessOfNews,
  idlenessOfRepeat,
  isFresh,
  isNewsworthy,
  isRepeat,
  isTiny,
  type NewsScale,
} from './text/idleness.ts';
import { Recall } from './text/recall.ts';
import { Templates } from './text/templates.ts';
import { Uptake } from './text/uptake.ts';

const EXACT = 1;
const CODE = 3;
const FENCE = '```';
const LANGUAGE = /^[a-z]/i;
const NONE: readonly number[] = [];
const MAX_AGENTS = 64;
/** The same text with other numbers in it may be a counter, and may be all there is to report. */
const COUNTING = 0.6;
/** Only 0 is progress, and who repeats what another has just said makes none. */
const MIN_ECHO_IDLENESS = 0.01;
/** What a program prints and somebody passes on; more is a comment on the code. */
const MAX_OUTCOME_TOKENS = 100;

/** Reads messages: how much they bring, and how they relate to what was said before. */
export class MessageReader {
  readonly #memory: Memory;
  readonly #scale: NewsScale;
  readonly #recall: Recall = new Recall();
  readonly #templates: Templates = new Templates();
  readonly #leadingNumbers: RecentMap<string, number> = new RecentMap(MAX_AGENTS);
  readonly #uptake: Uptake = new Uptake();
  #lastAgent = '';
  #lastIdleness = 0;
  #lastExact = 0;
  #lastWasFresh = false;
  #wasRepeat = false;
  #hadCode = false;
  /** How many messages in a row its author has said, with nothing by anybody else or by a tool in between. */
  #unanswered = 0;

  constructor(memory: Memory, scale: NewsScale) {
    this.#memory = memory;
    this.#scale = scale;
  }

  /** Reads the signal at `index`, in a conversation in which facts are so usual. */
  read(signal: MessageSignal, index: number, factRate: number): Reading {
    const { text, agent, to } = signal;
    const { reader } = this.#memory;
    reader.read(text);
    const news = this.#memory.take();
    const newFigures = news.newFigures + news.digits;
    const author = hashText(agent);
    const template = mixHash(author, reader.masked);
    const areNumbersMeant = this.#uptake.observe(agent, template, reader, news);
    const repeats = this.#memory.see(mixHash(author + EXACT, reader.exact));
    // Without a number in it, a text is no template.
    const said = reader.numbers.length > 0 ? this.#memory.see(template) : repeats;
    const isOther = agent !== this.#lastAgent;
    const unanswered = isOther ? 0 : this.#unanswered;
    const place = { agent, index, unanswered };
    const recalled = this.#recall.compare(place, reader, news);
    const { likeness, addedTerms = news.content } = recalled;
    // A text that is shown again with something added to it is judged by that.
    news.content = Math.min(news.content, addedTerms);
    const filling = this.#templates.fill(template, reader);
    const isTemplate = filling === 'counter' || (filling === 'id' && !areNumbersMeant);
    if (isTemplate) news.ignoreNumbers();
    const isNextPart = this.#isNextPart(agent, reader.leadingNumber);
    const isNew = !isRepeat(repeats, reader.count, news.content);
    const code = text.includes(FENCE) ? codeIn(text) : [];
    const hasNewCode = this.#hasNew(code, 0);
    const isOldCode = code.length > 0 && !this.#hasNew(code, author);
    const isItem =
      !isTemplate && !isOldCode && (likeness === 'item' || isNextPart || filling === 'value');

    const outcome = readOutcome(signal, 0);
    // Who only repeats what another has just said for the first time stands still as far as that did.
    const isEcho = isOther && this.#lastWasFresh && reader.exact === this.#lastExact;
    const isProgress = isItem || hasNewCode || isNewsworthy(news, factRate);
    let idleness: number;
    if (outcome.failure) idleness = this.#memory.idlenessOfFailure(outcome.failure);
    else if (isEcho) idleness = Math.max(MIN_ECHO_IDLENESS, this.#idlenessOfRepeat(repeats, true));
    else if (!isNew) idleness = this.#idlenessOfRepeat(repeats, isOther);
    else if (isProgress) idleness = 0;
    else {
      const most = isTemplate && newFigures > 0 ? COUNTING : 1;
      idleness = Math.min(most, this.#idlenessOfText(isOther, factRate));
    }
    const isOutcome =
      this.#hadCode && isOther && code.length === 0 && reader.count <= MAX_OUTCOME_TOKENS;
    const isFrozen = recalled.isSame && repeats > 0 && !isTiny(reader.count, news.content);
    this.note(agent, isFrozen, code.length > 0);
    this.#unanswered = unanswered + 1;
    this.#lastIdleness = idleness;
    this.#lastExact = reader.exact;
    this.#lastWasFresh = isNew && isFresh(news);
    return {
      deed: {
        type: 'said',
        key: isTemplate ? template : mixHash(author + EXACT, reader.exact),
        subject: to ?? '',
        repeats: isTemplate ? said : repeats,
      },
      idleness,
      failure: outcome.failure,
      success: outcome.success,
      said: {
        isVariant: isNew && likeness === 'variant' && newFigures === 0,
        isEcho,
        isOutcome,
        isExtended: recalled.addedTerms !== undefined,
        code: code.length === 0 ? 'none' : isOldCode ? 'old' : 'new',
        resemblance: hasNewCode ? 0 : recalled.resemblance,
        revisits: hasNewCode ? NONE : recalled.revisits,
        reopenings: code.length > 0 ? NONE : recalled.reopenings,
        recurrences: idleness > 0 ? this.#recall.recurrences(agent, reader) : undefined,
        newWords: news.words,
        newFigures,
        figures: news.figures,
        chants: countChants(reader),
      },
    };
  }

  /** Notes who acted last, when it was not by a message. */
  note(agent: string, wasRepeat = false, hadCode = false): void {
    this.#lastAgent = agent;
    this.#wasRepeat = wasRepeat;
    this.#hadCode = hadCode;
    this.#lastWasFresh = false;
    this.#unanswered = 0;
  }

  /** Forgets what was said; called when a person settles everything. */
  settle(): void {
    this.#recall.clear();
    this.#templates.clear();
  }

  clear(): void {
    this.#recall.clear();
    this.#templates.clear();
    this.#uptake.clear();
    this.#leadingNumbers.clear();
    this.note('');
  }

  snapshot(): JsonValue {
    return {
      recall: this.#recall.snapshot(),
      templates: this.#templates.snapshot(),
      uptake: this.#uptake.snapshot(),
      leadingNumbers: this.#leadingNumbers.entries(),
      lastAgent: this.#lastAgent,
      lastIdleness: this.#lastIdleness,
      lastExact: this.#lastExact,
      lastWasFresh: this.#lastWasFresh,
      wasRepeat: this.#wasRepeat,
      hadCode: this.#hadCode,
      unanswered: this.#unanswered,
    };
  }

  /** @throws {@link InvalidSnapshotError} */
  restore(path: string, snapshot: unknown): void {
    const state = restoredRecord(path, snapshot);
    this.#recall.restore(`${path}.recall`, state.recall);
    this.#templates.restore(`${path}.templates`, state.templates);
    this.#uptake.restore(`${path}.uptake`, state.uptake);
    this.#leadingNumbers.clear();
    for (const entry of restoredList(`${path}.leadingNumbers`, state.leadingNumbers)) {
      const [agent, number] = restoredList(`${path}.leadingNumbers`, entry);
      this.#leadingNumbers.set(
        restoredText(`${path}.leadingNumbers`, agent),
        restoredNumber(`${path}.leadingNumbers`, number),
      );
    }
    this.#lastIdleness = restoredNumber(`${path}.lastIdleness`, state.lastIdleness);
    this.#lastExact = restoredNumber(`${path}.lastExact`, state.lastExact);
    this.note(
      restoredText(`${path}.lastAgent`, state.lastAgent),
      restoredFlag(`${path}.wasRepeat`, state.wasRepeat),
      restoredFlag(`${path}.hadCode`, state.hadCode),
    );
    this.#lastWasFresh = restoredFlag(`${path}.lastWasFresh`, state.lastWasFresh);
    this.#unanswered = restoredNumber(`${path}.unanswered`, state.unanswered);
  }

  #idlenessOfRepeat(repeats: number, isOther: boolean): number {
    const { reader, news } = this.#memory;
    const idleness = idlenessOfRepeat(repeats, reader.count, news.content);
    return isOther && this.#lastWasFresh ? Math.min(idleness, this.#lastIdleness) : idleness;
  }

  #idlenessOfText(isOther: boolean, factRate: number): number {
    const { news } = this.#memory;
    let idleness = idlenessOfNews(news, this.#scale, factRate);
    if (idleness > 0 && !isOther) {
      // Somebody who goes on talking alone stands still only as far as the words are old.
      const share = (news.words + news.newFigures + news.digits) / Math.max(1, news.content);
      idleness *= 1 - Math.min(1, share);
    } else if (idleness > 0 && this.#wasRepeat) {
      idleness = Math.max(idleness, idlenessBesideFrozenLine(news, factRate));
    }
    return idleness;
  }

  /** Whether one of these pieces of code was not shown before, by `author` or, without one, by anybody. */
  #hasNew(code: readonly string[], author: number): boolean {
    let isNew = false;
    for (const piece of code) {
      if (this.#memory.see(mixHash(hashText(piece.trim()), CODE + author)) === 0) isNew = true;
    }
    return isNew;
  }

  /** Whether a message begins with the number after the one that its author began with before. */
  #isNextPart(agent: string, number: number): boolean {
    if (number < 0) return false;
    const before = this.#leadingNumbers.get(agent);
    this.#leadingNumbers.set(agent, number);
    return before !== undefined && number === before + 1;
  }
}

/** The pieces of code in a text. What is fenced in without the name of a language is a quotation. */
function codeIn(text: string): string[] {
  return text.split(FENCE).filter((piece, part) => part % 2 === 1 && LANGUAGE.test(piece));
}
