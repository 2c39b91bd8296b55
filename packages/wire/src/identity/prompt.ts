import type { Item } from '../item.ts';
import { hashOf } from './chain.ts';
import { endsWithRetry, isInstruction } from './history.ts';

/** What tells agents apart that have no name: the system prompt of a request. */
export class Prompt {
  /** Equal for equal prompts. */
  readonly key: string;
  /** Whether it asks once more for an answer that was wrong. */
  readonly isCorrection: boolean;
  readonly #text: string;
  #words: readonly number[] | undefined;

  constructor(items: readonly Item[]) {
    const texts = items
      .filter(isInstruction)
      .map((item) => (item.kind === 'text' ? item.text : ''));
    this.#text = texts.join('\n');
    this.isCorrection = endsWithRetry(items);
    this.key = String(hashOf(this.#text));
  }

  /** A sample of its words, by which changed prompts are compared. Numbers do not count. */
  get words(): readonly number[] {
    this.#words ??= sampleOf(this.#text);
    return this.#words;
  }
}

const MAX_COMPARED = 50_000;
const SAMPLE = 64;
const WORD = /\S+/g;
const DIGITS = /\d+/g;

/** The words with the least hashes: the same of the same words, wherever they stand. */
function sampleOf(text: string): readonly number[] {
  const words = text.slice(0, MAX_COMPARED).replace(DIGITS, '').match(WORD) ?? [];
  const hashes = new Set(words.map(hashOf));
  return [...hashes].sort((a, b) => a - b).slice(0, SAMPLE);
}

/** The part of the words of two samples that both have; 0 of none. */
export function commonPart(a: readonly number[], b: readonly number[]): number {
  const all = [...new Set([...a, ...b])].sort((one, other) => one - other).slice(0, SAMPLE);
  const [inA, inB] = [new Set(a), new Set(b)];
  const common = all.filter((word) => inA.has(word) && inB.has(word)).length;
  return common / Math.max(1, all.length);
}
