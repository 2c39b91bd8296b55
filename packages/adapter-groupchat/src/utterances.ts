/** How many utterances are remembered, so that late copies of one are known for what they are. */
const REMEMBERED = 4096;

/** Tells utterances from copies of them: a message is stored by its speaker, by those who hear it, and by its group. */
export class Utterances {
  readonly #known = new Set<number>();

  /** Whether this is the first copy of the utterance. */
  isNew(delivery: number): boolean {
    if (this.#known.has(delivery)) return false;
    this.#known.add(delivery);
    if (this.#known.size > REMEMBERED) {
      const [oldest] = this.#known;
      if (oldest !== undefined) this.#known.delete(oldest);
    }
    return true;
  }
}
