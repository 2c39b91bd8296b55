import type { JsonValue } from '../../json.ts';
import { estimateTokens } from '../../token-estimate.ts';
import { hashText, mixHash } from '../hash.ts';
import type { Memory } from '../memory.ts';
import { Handles } from './handles.ts';
import type { Names } from './json-reader.ts';

/** Two answers with so much besides, and so many figures in it, are data, and not the same by chance. */
const MIN_DATA_CONTENT = 6;
const MIN_FIGURES = 2;
/** Arguments with so much content are a text, which is not sent twice by chance, whatever id comes back. */
const MIN_FULL_CONTENT = 12;
/** A text of more tokens or words says something; one of less names something. */
const MAX_ITEM_TOKENS = 8;
const MAX_ITEM_WORDS = 3;
/** Tell these fingerprints from all others in the memory. */
const RENAMED = 4;
const ITEM = 6;

/** All texts stand for themselves. */
export const NO_NAMES: Names = { rename: () => undefined, note: () => {} };

/** How arguments are read. */
export interface Asking {
  /** Names of fields that do not count. */
  readonly ignored: ReadonlySet<string>;
  /** Names of fields that only count the calls. */
  readonly counted: ReadonlySet<string>;
  /** Whether the user has declared what makes two calls the same, so that names are taken as they stand. */
  readonly isDeclared: boolean;
}

/** A call with what came back. */
export interface AnsweredCall {
  readonly agent: number;
  /** The fingerprint of the call, exactly as it is. */
  readonly command: number;
  /** How many different words, names and numbers were asked. */
  readonly asked: number;
  /** How many came back, and how many numbers of more than one digit are among them. */
  readonly content: number;
  readonly figures: number;
}

/**
 * Tells how often a call was made before with the same outcome, even if it goes by another session, cursor or nonce.
 *
 * Which names mean nothing is learned: those without which two calls are the same and have got the same answer, if that can
 * be no chance.
 */
export class KnownCalls {
  readonly #memory: Memory;
  readonly #handles: Handles;
  readonly #taking: Names;
  readonly #giving: Names;
  #ask = 0;
  #origin = 0;
  #result = 0;
  #namesInResult = 0;
  #answer = 0;
  #newItems = 0;

  constructor(memory: Memory) {
    this.#memory = memory;
    const handles = new Handles((text) => memory.hasHeard(text));
    this.#handles = handles;
    const note = (text: string, place: number): void => void handles.note(text, place);
    this.#taking = {
      note,
      rename: (text, place, field) => {
        if (isItem(text) && memory.see(mixHash(mixHash(place, hashText(text)), ITEM)) === 0) {
          this.#newItems++;
        }
        return handles.take(text, place, field);
      },
    };
    this.#giving = { note, rename: (text, place) => handles.give(text, place) };
  }

  /** Whether a field of the arguments has a short value that it has not had before. */
  get hasNewItem(): boolean {
    return this.#newItems > 0;
  }

  /** Whether all that is new in what is asked is made up for the call. */
  get hasNoncesOnly(): boolean {
    return this.#handles.areNonces;
  }

  /** The fingerprint of what was asked last, whatever names it goes by, if they mean nothing; else `command`. */
  commandOr(command: number): number {
    const { areThere, areIdle, areNonces } = this.#handles;
    return areThere && (areIdle || areNonces) ? this.#ask : command;
  }

  /** Reads what a tool is asked, before the memory learns its words, and gives its fingerprint. */
  readAsk(tool: number, args: JsonValue, { ignored, counted, isDeclared }: Asking): number {
    const { json } = this.#memory;
    this.#handles.begin();
    this.#newItems = 0;
    if (counted.size > 0) this.#handles.count(tool);
    const names = isDeclared ? NO_NAMES : this.#taking;
    const hash = json.read(args, { names, ignored, counted, isResult: false, place: tool });
    this.#ask = mixHash(tool, json.renamed);
    // What hands out the next of a row of names is the same call, whatever name it took itself.
    this.#origin = mixHash(tool, json.nameless);
    return hash;
  }

  /** Reads what came back, before the memory learns its words. */
  readAnswer(result: JsonValue, ignored: ReadonlySet<string>): void {
    const { json } = this.#memory;
    json.read(result, { names: this.#giving, ignored, isResult: true, place: this.#origin });
    this.#result = json.bag;
    this.#namesInResult = json.names;
    this.#answer = json.renamed;
  }

  /** Notes the call, and gives how often it was made before with the same outcome, and a fingerprint that is equal then. */
  see(call: AnsweredCall): { key: number; repeats: number } {
    const memory = this.#memory;
    const handles = this.#handles;
    const exact = mixHash(mixHash(call.agent, call.command), this.#result);
    const repeats = memory.see(exact);
    if (!handles.areThere) return { key: exact, repeats };
    const renamed = mixHash(mixHash(mixHash(call.agent, this.#ask), this.#answer), RENAMED);
    const others = memory.see(renamed);
    if (repeats === 0 && others > 0 && this.#isTelling(call, others)) handles.settle();
    return handles.areIdle ? { key: renamed, repeats: others } : { key: exact, repeats };
  }

  clear(): void {
    this.#handles.clear();
  }

  snapshot(): JsonValue {
    return this.#handles.snapshot();
  }

  /** @throws {@link InvalidSnapshotError} */
  restore(path: string, snapshot: unknown): void {
    this.#handles.restore(path, snapshot);
  }

  /** Whether it cannot be chance that the call was made so often before with the same outcome under other names. */
  #isTelling({ asked, content, figures }: AnsweredCall, others: number): boolean {
    const names = this.#namesInResult;
    if (content - names >= MIN_DATA_CONTENT && figures >= MIN_FIGURES) return true;
    if (this.#handles.areMadeUp) return this.#handles.areNonces && others > 1 && content > names;
    return asked >= MIN_FULL_CONTENT && names > 0;
  }
}

function isItem(text: string): boolean {
  return (
    text.length <= MAX_ITEM_TOKENS * 4 &&
    estimateTokens(text) <= MAX_ITEM_TOKENS &&
    text.trim().split(' ').length <= MAX_ITEM_WORDS
  );
}
