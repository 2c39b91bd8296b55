import { hashText, mixHash } from '@teamfuse/core/detectors';

const BLOCK = 1_024;
const NO_SPACE = /\S/g;

/** The beginnings of a text by their hashes, each character of which is read once, however many are asked for. */
export class Prefixes {
  readonly #text: string;
  /** The hashes of so many whole blocks. */
  readonly #blocks: number[] = [0];
  readonly #words = new Map<number, number>();

  constructor(text: string) {
    this.#text = text;
  }

  hashOf(length: number): number {
    const count = Math.floor(length / BLOCK);
    for (let known = this.#blocks.length - 1; known < count; known++) {
      const block = this.#text.slice(known * BLOCK, (known + 1) * BLOCK);
      this.#blocks.push(mixHash(this.#blocks[known] as number, hashText(block)));
    }
    const rest = this.#text.slice(count * BLOCK, length);
    return mixHash(this.#blocks[count] as number, hashText(rest));
  }

  /** Where the first word after a beginning stands. */
  wordAfter(length: number): number {
    const known = this.#words.get(length);
    if (known !== undefined) return known;
    NO_SPACE.lastIndex = length;
    const at = NO_SPACE.exec(this.#text)?.index ?? this.#text.length;
    this.#words.set(length, at);
    return at;
  }
}
