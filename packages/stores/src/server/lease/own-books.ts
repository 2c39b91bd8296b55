import type { Amount, BudgetTotals, PurseTotals } from '@teamfuse/core/kit';
import { amountOf, NOTHING, plus } from '../amounts.ts';
import { WHOLE } from './room.ts';

/** What a process knows of its leases that the books of the server do not tell. */
export class OwnBooks {
  /** What the server holds for this process, and no call does. */
  readonly #ahead: Map<string, Amount> = new Map();
  /** What was settled and is not booked. */
  readonly #waiting: Map<string, Amount> = new Map();

  /** Notes that so much more is held ahead of calls, in the whole budget and these purses. */
  hold(names: readonly string[], more: Amount): void {
    change(this.#ahead, names, more);
  }

  /** Notes that so much more waits to be booked. */
  wait(names: readonly string[], more: Amount): void {
    change(this.#waiting, names, more);
  }

  /** The books of the server as they are for the calls of this process. */
  seenFrom(totals: BudgetTotals, names: readonly string[]): BudgetTotals {
    const { purses } = totals;
    const whole = this.#with(WHOLE, totals);
    if (purses === undefined) return whole;
    return { ...whole, purses: purses.map((one, i) => this.#with(names[i] ?? WHOLE, one)) };
  }

  #with(name: string, { spent, reserved }: PurseTotals): PurseTotals {
    const ahead = this.#ahead.get(name) ?? NOTHING;
    const waiting = this.#waiting.get(name) ?? NOTHING;
    const most = Number.MAX_SAFE_INTEGER;
    return {
      spent: amountOf((unit) => Math.min(spent[unit] + waiting[unit], most)),
      reserved: amountOf((unit) => Math.min(Math.max(0, reserved[unit] - ahead[unit]), most)),
    };
  }
}

function change(sums: Map<string, Amount>, names: readonly string[], more: Amount): void {
  for (const name of [WHOLE, ...names]) {
    const sum = plus(sums.get(name) ?? NOTHING, more);
    if (sum.nanoUsd === 0 && sum.tokens === 0) sums.delete(name);
    else sums.set(name, sum);
  }
}
