const MULTIPLIER = 1_664_525;
const INCREMENT = 1_013_904_223;
const RANGE = 2 ** 32;

/**
 * Numbers that look random and are the same for the same seed.
 *
 * Knuth's linear congruential generator modulo 2^32, read from its upper bits; good enough for tests, and for nothing
 * else.
 */
export class SeededRandom {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
    // Seeds next to each other begin alike.
    for (let i = 0; i < 4; i++) this.#next();
  }

  /** A whole number from 0 to below `end`. */
  below(end: number): number {
    return Math.floor((this.#next() / RANGE) * end);
  }

  /** One of `items`, of which there is at least one. */
  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)] as T;
  }

  /** True once in `n` times. */
  oneIn(n: number): boolean {
    return this.below(n) === 0;
  }

  #next(): number {
    this.#state = (Math.imul(this.#state, MULTIPLIER) + INCREMENT) | 0;
    return this.#state >>> 0;
  }
}
