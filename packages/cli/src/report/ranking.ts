import { cleanForPage, cleanForTerminal } from '../output/clean.ts';
import { Costliest, MAX_DETAILS } from '../replay/costliest.ts';
import type { Replayed } from '../replay/replay.ts';

const NAME_LENGTH = 200;
/** Conversations in the table. */
const MAX_ROWS = 500;

/** Keeps the conversations that a report shows, however many there are: the costliest trips first, then what cost most. */
export class Ranking {
  readonly #details = new Costliest(MAX_DETAILS);
  readonly #rows = new Costliest(MAX_ROWS);

  add(replayed: Replayed): void {
    if (!this.#rows.wants(replayed)) return;
    const { trace, ...rest } = replayed;
    const row = {
      ...rest,
      id: nameOf(rest.id),
      title: nameOf(rest.title),
      team: nameOf(rest.team),
      source: nameOf(rest.source),
    };
    this.#rows.add(row);
    if (this.#details.wants(row)) this.#details.add({ ...row, ...(trace && { trace }) });
  }

  /** With their traces. */
  get details(): readonly Replayed[] {
    return this.#details.all;
  }

  get rows(): readonly Replayed[] {
    return this.#rows.all;
  }
}

/** An id or a path on one line. */
function nameOf(text: string): string {
  return cleanForTerminal(cleanForPage(text, NAME_LENGTH));
}
