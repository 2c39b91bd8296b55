import { hashText, hashWords, mixHash } from '@teamfuse/core/detectors';
import type { Item, TextItem } from '../item.ts';
import { hashOf } from './chain.ts';
import { isInstruction } from './history.ts';
import { Prefixes } from './prefixes.ts';

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
const MAX_KEPT = 2_000;

/**
 * Takes transcripts apart: prompts that hold the whole history in their one text, as those of ReAct do. Such a text grows by each answer, and
 * by what came of it.
 */
export class Transcripts {
  readonly #byHead = new Map<number, Set<Answered>>();
  /** All of them with their heads, the one that was answered longest ago first. */
  readonly #kept = new Map<Answered, number>();

  /** Reads the last text of a history without answers, if it goes on after an earlier one and the answer to that. */
  read(items: readonly Item[], scope: string): Read {
    const last = items.at(-1);
    if (last?.kind !== 'text' || last.role !== 'user' || !areOthers(items)) return unread(items);
    const text = last.text.trimEnd();
    if (text.length < HEAD) return unread(items);
    const head = mixHash(hashOf(scope), hashWords(text, 0, HEAD));
    const prefixes = new Prefixes(text);
    const before = this.#before(head, text, prefixes);
    const answers = before === undefined ? [] : [...before.answers, placeAfter(before, prefixes)];
    const { length } = text;
    const prompt = { length, end: endOf(text, length), answers };
    return {
      items: before === undefined ? items : [...items.slice(0, -1), ...partsOf(last, answers)],
      answered: ([said, ...others]) => {
        if (said?.kind !== 'text' || others.length > 0 || said.text.trim() === '') return;
        const answer = said.text.trim();
        const read = { length: answer.length, hash: hashText(answer) };
        if (before !== undefined) this.#forget(before);
        this.#keep(head, { ...prompt, hash: prefixes.hashOf(length), answer: read });
      },
    };
  }

  /** The longest prompt that a text goes on after. */
  #before(head: number, text: string, prefixes: Prefixes): Answered | undefined {
    return [...(this.#byHead.get(head) ?? [])]
      .filter(({ length, end, answer }) => {
        return text.length > length + answer.length && endOf(text, length) === end;
      })
      .sort((a, b) => b.length - a.length)
      .find((one) => prefixes.hashOf(one.length) === one.hash && isAnswered(text, one, prefixes));
  }

  #keep(head: number, one: Answered): void {
    const all = this.#byHead.get(head) ?? new Set();
    for (const other of all) if (isSame(other, one)) this.#forget(other);
    this.#byHead.set(head, all.add(one));
    this.#kept.set(one, head);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MAX_KEPT && oldest !== undefined) this.#forget(oldest);
  }

  #forget(one: Answered): void {
    const head = this.#kept.get(one);
    if (head === undefined) return;
    this.#kept.delete(one);
    const all = this.#byHead.get(head);
    all?.delete(one);
    if (all?.size === 0) this.#byHead.delete(head);
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

function endOf(text: string, length: number): number {
  return hashText(text.slice(length - END, length));
}

function isAnswered(text: string, one: Answered, prefixes: Prefixes): boolean {
  const { from, to } = placeAfter(one, prefixes);
  return hashText(text.slice(from, to)) === one.answer.hash;
}

/** Where the answer to a prompt stands in a text that goes on after it: white space may come first. */
function placeAfter({ length, answer }: Answered, prefixes: Prefixes): Place {
  const from = prefixes.wordAfter(length);
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
