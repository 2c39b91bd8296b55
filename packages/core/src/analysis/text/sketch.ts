import type { TextReader } from './reader/text-reader.ts';
import { PLAIN, VOLATILE } from './reader/token.ts';

/** Terms are told apart by so many places. */
export const PLACES = 1024;
const SPREAD = 0x9e3779b1;

/** The set of terms of a text as places out of 1,024: enough to estimate how similar two texts are. */
export class Sketch {
  /** The places of its terms, each once; only the first {@link Sketch.size} count. */
  readonly places: Uint16Array = new Uint16Array(PLACES);
  readonly #taken: Uint8Array = new Uint8Array(PLACES);
  /** How many different places its terms take. */
  size = 0;

  /** Draws the text in `reader`: each term that means something takes a place. */
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
