import type { Amount } from '@teamfuse/core/kit';
import { amountOf, minus, NOTHING, UNITS } from '../amounts.ts';

/** What was longer ago counts less and less. */
const FADE_MS = 10_000;

/** How fast a budget is used up, by all processes together. */
export class Trend {
  #last: { readonly left: Amount; readonly at: number } | undefined;
  #used: Amount = NOTHING;
  #ms = 0;

  /** Notes what is left, as an answer of the server told. Infinite where nothing is limited. */
  note(left: Amount, now: number): void {
    const last = this.#last;
    this.#last = { left, at: now };
    if (last === undefined) return;
    const kept = Math.exp((last.at - now) / FADE_MS);
    const used = minus(last.left, left);
    const known = amountOf((unit) => (Number.isFinite(used[unit]) ? used[unit] : 0));
    this.#used = amountOf((unit) => this.#used[unit] * kept + known[unit]);
    this.#ms = this.#ms * kept + now - last.at;
  }

  /** For how many milliseconds what is left suffices if it goes on like this; infinite if that is not known. */
  lastsMs(left: Amount): number {
    const of = (unit: keyof Amount): number =>
      this.#used[unit] > 0 && this.#ms > 0
        ? (left[unit] * this.#ms) / this.#used[unit]
        : Number.POSITIVE_INFINITY;
    return Math.min(...UNITS.map(of));
  }
}
