import { joinHash } from '../../hash.ts';

const FIRST_SEED = 0x811c9dc5 | 0;
const SECOND_SEED = 0x1b873593;
const FIRST_PRIME = 0x01000193;
const SECOND_PRIME = 0x85ebca6b | 0;

/** Rolling hashes of the tokens of a text: of all of them, and without what differs from one time to the next. */
export class TokenHashes {
  #exactLow = FIRST_SEED;
  #exactHigh = SECOND_SEED;
  #frameLow = FIRST_SEED;
  #frameHigh = SECOND_SEED;
  #shapeLow = FIRST_SEED;
  #shapeHigh = SECOND_SEED;
  /** Whether a token was masked: up to then, all hashes are the same, and only one is kept. */
  #isParted = false;

  /** Equal for texts that differ in case, spacing, sentence marks and volatile tokens only. */
  get exact(): number {
    return joinHash(this.#exactLow, this.#exactHigh);
  }

  /** Equal for texts that differ in numbers as well. */
  get frame(): number {
    return this.#isParted ? joinHash(this.#frameLow, this.#frameHigh) : this.exact;
  }

  /** Equal for texts that differ in numbers and in the digits of names. */
  get shape(): number {
    return this.#isParted ? joinHash(this.#shapeLow, this.#shapeHigh) : this.exact;
  }

  begin(): void {
    this.#exactLow = FIRST_SEED;
    this.#exactHigh = SECOND_SEED;
    this.#isParted = false;
  }

  /** Adds a token that no hash masks. */
  add(token: number): void {
    if (this.#isParted) this.#addMasked(token, token);
    this.#addExact(token);
  }

  /** Adds a token that stands in the frame and in the shape as something else. */
  addMasked(token: number, framed: number, shaped: number): void {
    if (!this.#isParted) {
      this.#isParted = true;
      this.#frameLow = this.#exactLow;
      this.#frameHigh = this.#exactHigh;
      this.#shapeLow = this.#exactLow;
      this.#shapeHigh = this.#exactHigh;
    }
    this.#addMasked(framed, shaped);
    this.#addExact(token);
  }

  #addExact(token: number): void {
    const low = (Math.imul(this.#exactLow ^ token, FIRST_PRIME) + 1) | 0;
    this.#exactLow = low;
    this.#exactHigh = Math.imul(this.#exactHigh ^ token, SECOND_PRIME) ^ (low >>> 15);
  }

  #addMasked(framed: number, shaped: number): void {
    const frameLow = (Math.imul(this.#frameLow ^ framed, FIRST_PRIME) + 1) | 0;
    this.#frameLow = frameLow;
    this.#frameHigh = Math.imul(this.#frameHigh ^ framed, SECOND_PRIME) ^ (frameLow >>> 15);
    const shapeLow = (Math.imul(this.#shapeLow ^ shaped, FIRST_PRIME) + 1) | 0;
    this.#shapeLow = shapeLow;
    this.#shapeHigh = Math.imul(this.#shapeHigh ^ shaped, SECOND_PRIME) ^ (shapeLow >>> 15);
  }
}
