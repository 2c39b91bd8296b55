import { hashText, hashWords, mixHash } from '@teamfuse/core/detectors';
import { BoundedMap } from '@teamfuse/core/kit';
import type { Item, TextItem } from '../item.ts';
import { hashOf } from './chain.ts';
import { isInstruction } from './history.ts';

/** Where an answer stands in a text. */
interface Place {
  readonly from: number;
  readonly to: number;
}

/** A prompt that was answered, by its length and hashes, with the places of the answers before. */
interface Answered {
  readonly length: number;
  readonly hash: number;
  /** The hash of its last characters, which tells most texts apart at once. */
  readonly end: number;
  readonly answers: readonly Place[];
  readonly answer: { readonly length: number; readonly hash: number };
}

/** A history as it is read, and what notes the answer to it. */
interface Read {
  readonly items: readonly Item[];
  readonly answered: (items: readonly Item[]) => void;
}

/** So many first characters tell where to look. Prompts that are shorter tell too little of their conversations. */
const HEAD = 40;
const END = 32;
const MAX_HEADS = 1_000;
const MAX_OF_ONE = 64;

/**
 * Takes transcripts apart: prompts that hold the whole history in their one text, as those of ReAct do. Such a text grows by each answer, and
 * by what came of it.
 */
export class Transcripts {
  readonly #byHead = new BoundedMap<number, readonly Answered[]>(MAX_HEADS);

  /** Reads the last text of a history without answers, if it goes on after an earlier one and the answer to that. */
  read(items: readonly Item[], scope: string): Read {
    const last = items.at(-1);
    if (last?.kind !== 'text' || last.role !== 'user' || !areOthers(items)) return unread(items);
    const text = last.text.trimEnd();
    if (text.length < HEAD) return unread(items);
    const key = mixHash(hashOf(scope), hashWords(text, 0, HEAD));
    const before = this.#before(key, text);
    const answers = before === undefined ? [] : [...before.answers, placeIn(text, before)];
    return {
      items: before === undefined ? items : [...items.slice(0, -1), ...partsOf(last, answers)],
      answered: (said) => this.#note(key, before, text, answers, said),
    };
  }

  /** The longest prompt that a text goes on after. */
  #before(key: number, text: string): Answered | undefined {
    let longest: Answered | undefined;
    for (const one of this.#byHead.get(key) ?? []) {
      if (one.length > (longest?.length ?? 0) && goesOn(text, one)) longest = one;
    }
    return longest;
  }

  #note(
    key: number,
    before: Answered | undefined,
    text: string,
    answers: readonly Place[],
    [said, ...others]: readonly Item[],
  ): void {
    if (said?.kind !== 'text' || others.length > 0 || said.text.trim() === '') return;
    const answer = said.text.trim();
    const { length } = text;
    const one: Answered = {
      length,
      hash: hashText(text),
      end: hashText(text.slice(-END)),
      answers,
      answer: { length: answer.length, hash: hashText(answer) },
    };
    const kept = (this.#byHead.get(key) ?? []).filter(
      (other) => other !== before && !isSame(other, one),
    );
    this.#byHead.set(key, [...kept, one].slice(-MAX_OF_ONE));
  }
}

function unread(items: readonly Item[]): Read {
  return { items, answered: () => {} };
}

/** Whether a history holds nothing of its own agent's. */
function areOthers(items: readonly Item[]): boolean {
  return items.every(
    (item) => isInstruction(item) || (item.kind === 'text' && item.role === 'user'),
  );
}

function isSame(a: Answered, b: Answered): boolean {
  return a.length === b.length && a.hash === b.hash && a.answer.hash === b.answer.hash;
}

function goesOn(text: string, one: Answered): boolean {
  const { length, hash, end, answer } = one;
  if (text.length <= length + answer.length) return false;
  if (hashText(text.slice(length - END, length)) !== end) return false;
  const { from, to } = placeIn(text, one);
  return hashText(text.slice(from, to)) === answer.hash && hashText(text.slice(0, length)) === hash;
}

/** Where the answer to a prompt stands in a text that goes on after it: white space may come first. */
function placeIn(text: string, { length, answer }: Answered): Place {
  let from = length;
  while (from < text.length && text.charAt(from).trim() === '') from++;
  return { from, to: from + answer.length };
}

function partsOf(whole: TextItem, answers: readonly Place[]): readonly TextItem[] {
  const parts: TextItem[] = [];
  let at = 0;
  const add = (part: Omit<TextItem, 'text'>, to: number): void => {
    const text = whole.text.slice(at, to).trim();
    at = to;
    if (text !== '') parts.push({ ...part, text });
  };
  for (const { from, to } of answers) {
    add(whole, from);
    add({ kind: 'text', role: 'assistant' }, to);
  }
  add(whole, whole.text.length);
  return parts;
}
