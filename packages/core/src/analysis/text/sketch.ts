import type { TextReader } from './reader/text-reader.ts';
import { PLAIN, VOLATILE } from './reader/token.ts';

export const PLACES = 1024;
const SPREAD = 0x9e3779b1;

/** The set of terms of a text as places out of 1,024, to estimate how similar two texts are. */
export class Sketch {
  /** The different places of its terms; only the first {@link Sketch.size} count. */
  readonly places: Uint16Array = new Uint16Array(PLACES);
  readonly #taken: Uint8Array = new Uint8Array(PLACES);
  size = 0;

  /** Sketches the meaningful terms of the text in `reader`. */
  draw({ terms, types, count }: TextReader): void {
    for (let i = 0; i < this.size; i++) this.#taken[this.places[i] as number] = 0;
    this.size = 0;
    for (let i = 0; i < count; i++) {
      const type = types[i] as number;
      if (type === PLAIN || type === VOLATILE) continue;
      const place = (Math.imul(terms[i] as number, SPREAD) >>> 22) & (PLACES - 1);
      if (this.#taken[place] !== 0) continue;
      this.#taken[place] = 1;
      this.places[this.size++] = place;
    }
  }
}
