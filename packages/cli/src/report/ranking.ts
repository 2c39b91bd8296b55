import type { Replayed } from '../replay/replay.ts';
import type { Spend } from '../replay/spend.ts';

/** Conversations with a section of their own. */
const MAX_DETAILS = 20;
/** Conversations in the table. */
const MAX_ROWS = 500;

/** Keeps the conversations that a report shows, however many there are: the costliest trips first, then what cost most. */
export class Ranking {
  #details: Replayed[] = [];
  #rows: Replayed[] = [];

  add(replayed: Replayed): void {
    const { trace: _trace, ...row } = replayed;
    this.#details = top([...this.#details, replayed], MAX_DETAILS);
    this.#rows.push(row);
    if (this.#rows.length > 2 * MAX_ROWS) this.#rows = top(this.#rows, MAX_ROWS);
  }

  /** With their traces. */
  get details(): readonly Replayed[] {
    return this.#details;
  }

  get rows(): readonly Replayed[] {
    return top(this.#rows, MAX_ROWS);
  }
}

function top(all: Replayed[], count: number): Replayed[] {
  return all.sort(byCost).slice(0, count);
}

function byCost(a: Replayed, b: Replayed): number {
  return b.trips.length - a.trips.length || more(a.saved, b.saved) || more(a.spent, b.spent);
}

function more(a: Spend, b: Spend): number {
  return (b.usd ?? 0) - (a.usd ?? 0) || b.tokens - a.tokens || b.turns - a.turns;
}
