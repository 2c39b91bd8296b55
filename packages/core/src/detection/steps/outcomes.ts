import { mixHash } from '../../common/hash.ts';
import { count, number } from '../../state/codec.ts';
import { RecentMap } from '../../state/stateful.ts';
import type { AskHash, ChannelHash } from '../hashes.ts';
import { ENOUGH_WORDS, KNOWN_OUTCOME, MEMORY } from '../judgement.ts';

const MAX_ENTRIES = 1024;
const PAIR = 1;
const OUTCOME = 2;

/**
 * A request and its outcome, compared with earlier ones: the same request had the same outcome (`none`) or another one
 * (`moved`), another request, or the same long ago, had a known outcome (`other-ask`), or both are `new`.
 */
export type Novelty = 'none' | 'moved' | 'other-ask' | 'new';

/** The staleness of a call or a run; `content` is how many words, names and numbers its outcome has. */
export function stalenessOf(novelty: Novelty, content: number): number {
  if (novelty === 'none') return 1;
  if (novelty !== 'other-ask') return 0;
  return content >= ENOUGH_WORDS ? 1 : KNOWN_OUTCOME;
}

/** Remembers requests and their outcomes with the turn of each. */
export class Outcomes extends RecentMap<number, number> {
  constructor() {
    super(MAX_ENTRIES, number, count);
  }

  /** Notes a request and its outcome, both as hashes. Outcomes are compared within a `channel`, such as one tool. */
  take(channel: ChannelHash, ask: AskHash, outcome: number, turn: number): Novelty {
    const pair = mixHash(mixHash(ask, outcome), PAIR);
    const inChannel = mixHash(mixHash(channel, outcome), OUTCOME);
    const before = this.#note(pair, turn);
    const askBefore = this.#note(ask, turn);
    const outcomeBefore = this.#note(inChannel, turn);
    if (before !== undefined) return turn - before <= MEMORY / 2 ? 'none' : 'other-ask';
    if (askBefore !== undefined) return 'moved';
    return outcomeBefore === undefined ? 'new' : 'other-ask';
  }

  hasAsk(ask: AskHash): boolean {
    return this.get(ask) !== undefined;
  }

  /** Notes `turn`, and returns the turn noted before. */
  #note(key: number, turn: number): number | undefined {
    const before = this.get(key);
    this.set(key, turn);
    return before;
  }
}
