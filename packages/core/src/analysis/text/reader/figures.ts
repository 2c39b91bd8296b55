const MAX_NUMBERS = 64;
/** So many digits make a number that a double holds exactly. */
const EXACT_DIGITS = 15;
const FIRST_SEED = 0x811c9dc5 | 0;
const FIRST_PRIME = 0x01000193;
const COMMA = 0x2c;
const DOT = 0x2e;
const ZERO = 0x30;

/** The numbers of a text, and those in its names. */
export class Figures {
  /** The numbers, as far as they are written as one. */
  readonly numbers: number[] = [];
  /** The digits of names, each as a number, between the {@link Figures.numbers}. */
  readonly all: number[] = [];

  clear(): void {
    // Even where there are none, cutting an array short takes time.
    if (this.numbers.length > 0) this.numbers.length = 0;
    if (this.all.length > 0) this.all.length = 0;
  }

  /** Notes the number that stands in `units`, which are those of `text`. */
  note(text: string, units: Uint16Array, from: number, to: number): void {
    if (this.numbers.length >= MAX_NUMBERS && this.all.length >= MAX_NUMBERS) return;
    const number = valueIn(units, from, to) ?? Number(text.slice(from, to).replaceAll(',', ''));
    const isOne = Number.isFinite(number);
    if (this.numbers.length < MAX_NUMBERS) this.numbers.push(isOne ? number : 0);
    // `3/12` is two numbers.
    if (isOne) this.#add(number);
    else this.noteIn(units, from, to);
  }

  /** Notes the numbers in a name, and gives a hash of the rest of it. */
  noteIn(units: Uint16Array, from: number, to: number): number {
    let hash = FIRST_SEED;
    let value = 0;
    let wasDigit = false;
    for (let i = from; i < to; i++) {
      const code = units[i] as number;
      const digit = code - ZERO;
      const isDigit = digit >= 0 && digit <= 9;
      if (isDigit) value = wasDigit ? value * 10 + digit : digit;
      else hash = Math.imul(hash ^ code, FIRST_PRIME);
      if (wasDigit && !isDigit) this.#add(value);
      wasDigit = isDigit;
    }
    if (wasDigit) this.#add(value);
    return hash;
  }

  #add(value: number): void {
    if (this.all.length < MAX_NUMBERS) this.all.push(value);
  }
}

/** The value of digits with at most one point among them, to the last bit; `undefined` where a closer look is needed. */
function valueIn(units: Uint16Array, from: number, to: number): number | undefined {
  let value = 0;
  let digits = 0;
  let scale = 0;
  for (let i = from; i < to; i++) {
    const code = units[i] as number;
    const digit = code - ZERO;
    if (digit >= 0 && digit <= 9) {
      value = value * 10 + digit;
      digits++;
      scale *= 10;
    } else if (code === DOT && scale === 0) scale = 1;
    else if (code !== COMMA) return undefined;
  }
  if (digits > EXACT_DIGITS) return undefined;
  return scale === 0 ? value : value / scale;
}
