import { longestCalm, timeReference } from './reference.js';

/** So many calm runs are enough for a median. */
const ENOUGH = 60;
/** So many runs are made before it is looked at how many were calm. */
const BATCH = 60;

/** Collects what runs took, each with the reference beside it. */
export class Figures {
  #runs = [];

  /** Adds runs until enough were calm, and no more than `runs` in all. `measure` says what one took for each step. */
  async add(runs, measure) {
    while (this.#runs.length < runs && this.#calm().length < ENOUGH) {
      for (let i = Math.min(BATCH, runs - this.#runs.length); i > 0; i--) {
        const before = timeReference();
        const ns = await measure();
        this.#runs.push({ ns, reference: Math.max(before, timeReference()) });
      }
    }
    return this;
  }

  /** The median of the calm runs, with the fastest and the slowest of them. Of all runs, if none was calm. */
  summarize() {
    const calm = this.#calm();
    const counted = calm.length > 0 ? calm : this.#runs;
    const sorted = counted.map(({ ns }) => ns).toSorted((a, b) => a - b);
    const [fastest, median, slowest] = [sorted[0], sorted[sorted.length >> 1], sorted.at(-1)];
    return { median, fastest, slowest, calm: calm.length, runs: this.#runs.length };
  }

  #calm() {
    const longest = longestCalm();
    return this.#runs.filter(({ reference }) => reference <= longest);
  }
}

/** Nanoseconds that `work` takes. */
export function nsOf(work) {
  const start = process.hrtime.bigint();
  work();
  return Number(process.hrtime.bigint() - start);
}

/** Nanoseconds that `work` takes until its promise is kept. */
export async function nsOfAsync(work) {
  const start = process.hrtime.bigint();
  await work();
  return Number(process.hrtime.bigint() - start);
}
