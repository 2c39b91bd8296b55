import { cleanForPage, cleanForTerminal } from '../output/clean.ts';
import type { Replayed } from '../replay/replay.ts';
import type { Spend } from '../replay/spend.ts';

/** Conversations with a section of their own. */
const MAX_DETAILS = 20;
const NAME_LENGTH = 200;
/** Conversations in the table. */
const MAX_ROWS = 500;

/** Keeps the conversations that a report shows, however many there are: the costliest trips first, then what cost most. */
export class Ranking {
  #details: Replayed[] = [];
  #rows: Replayed[] = [];

  add(replayed: Replayed): void {
    const { trace, ...rest } = replayed;
    const row = { ...rest, id: nameOf(rest.id), source: nameOf(rest.source) };
    this.#details = top([...this.#details, { ...row, ...(trace && { trace }) }], MAX_DETAILS);
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

/** An id or a path on one line. */
function nameOf(text: string): string {
  return cleanForTerminal(cleanForPage(text, NAME_LENGTH));
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
