import type { Amount } from '@teamfuse/core/kit';
import { amountOf, NOTHING, plus } from '../amounts.ts';
import { RECENT_MS, type SliceSituation } from './slice.ts';

/** How many calls a process makes in some purses, and of what size. What is long ago counts less and less. */
export class Demand {
  #calls = 0;
  #sum: Amount = NOTHING;
  #at = Number.NEGATIVE_INFINITY;

  note(amount: Amount, now: number): void {
    this.#age(now);
    this.#calls += 1;
    this.#sum = plus(this.#sum, amount);
  }

  at(now: number): Pick<SliceSituation, 'calls' | 'call'> {
    this.#age(now);
    const calls = this.#calls;
    return { calls, call: amountOf((unit) => (calls === 0 ? 0 : this.#sum[unit] / calls)) };
  }

  #age(now: number): void {
    if (now <= this.#at) return;
    const kept = Math.exp((this.#at - now) / RECENT_MS);
    this.#at = now;
    this.#calls *= kept;
    this.#sum = amountOf((unit) => this.#sum[unit] * kept);
  }
}
