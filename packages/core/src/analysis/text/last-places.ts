const SPREAD = 0x9e3779b1;
const NOWHERE = -1;

/** Where each token of a text stood last. A table of numbers: a `Map` would take several times as long to fill. */
export class LastPlaces {
  readonly #shift: number;
  readonly #mask: number;
  readonly #tokens: Int32Array;
  readonly #places: Int32Array;

  /** For texts of at most `count` tokens. */
  constructor(count: number) {
    const bits = 33 - Math.clz32(count);
    this.#shift = 32 - bits;
    this.#mask = 2 ** bits - 1;
    this.#tokens = new Int32Array(2 ** bits);
    this.#places = new Int32Array(2 ** bits).fill(NOWHERE);
  }

  /** Notes that `token` stands at `place`, and gives where it stood before; below 0 for nowhere. */
  move(token: number, place: number): number {
    const places = this.#places;
    let slot = Math.imul(token, SPREAD) >>> this.#shift;
    while ((places[slot] as number) >= 0 && this.#tokens[slot] !== token) {
      slot = (slot + 1) & this.#mask;
    }
    const before = places[slot] as number;
    this.#tokens[slot] = token;
    places[slot] = place;
    return before;
  }
}
