const SPREAD = 0x9e3779b1;
const NOWHERE = -1;

/** The last place of each token of a text. A reused table of numbers, several times as fast as a `Map`. */
export class LastPlaces {
  #shift = 0;
  #mask = 0;
  #tokens: Int32Array = new Int32Array(0);
  #places: Int32Array = new Int32Array(0);

  /** Starts a text of at most `count` tokens. */
  begin(count: number): void {
    const bits = 33 - Math.clz32(count);
    const size = 2 ** bits;
    this.#shift = 32 - bits;
    this.#mask = size - 1;
    if (this.#places.length < size) {
      this.#tokens = new Int32Array(size);
      this.#places = new Int32Array(size);
    }
    this.#places.fill(NOWHERE, 0, size);
  }

  /** Notes the place of `token`. Returns its last place, or a negative number. */
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
