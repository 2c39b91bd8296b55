import {
  ENOUGH_WORDS,
  EXPECTED_FACTS,
  FACT_FACTOR,
  FRESH_SHARE,
  OLD_SHARE,
  USUAL_FACTS,
} from '../judgement.ts';
import { type Codec, number, record } from '../state/codec.ts';
import { Kept } from '../state/stateful.ts';
import type { News } from './text/news.ts';

interface FactCounts {
  facts: number;
  turns: number;
  pendingFacts: number;
  pendingTurns: number;
}

const COUNTS: Codec<FactCounts> = record<FactCounts>({
  facts: number,
  turns: number,
  pendingFacts: number,
  pendingTurns: number,
});

/**
 * The staleness of messages by their words, compared with what is usual in the conversation.
 *
 * If names, numbers, code and results are the rule, fresh words alone mean little. The rate of facts is not updated during a
 * stretch without progress, only afterwards.
 */
export class WordStaleness extends Kept<FactCounts> {
  constructor() {
    super(COUNTS, () => ({ facts: 0, turns: 0, pendingFacts: 0, pendingTurns: 0 }));
  }

  /** From 0, all new, to 1, nothing new. */
  of(news: News): number {
    if (news.figures > 0) return 0;
    const usual = this.#usualFacts();
    const fresh = clamp((news.share - OLD_SHARE) / (FRESH_SHARE - OLD_SHARE));
    const enough = ENOUGH_WORDS * (1 + FACT_FACTOR * fresh * usual);
    const known = Math.min(news.weight / enough, news.share / FRESH_SHARE);
    return Math.max(0, 1 - known) * (1 - fresh + fresh * usual);
  }

  /** Counts a turn. Progress ends a stretch without any. */
  take(hasFact: boolean, isProgress: boolean): void {
    const counts = this.state;
    if (hasFact) counts.pendingFacts++;
    counts.pendingTurns++;
    if (!isProgress) return;
    counts.facts += counts.pendingFacts;
    counts.turns += counts.pendingTurns;
    counts.pendingFacts = 0;
    counts.pendingTurns = 0;
  }

  /** From 0, facts are rare, to 1, facts are the rule. */
  #usualFacts(): number {
    const { facts, turns } = this.state;
    return Math.min(1, (facts + EXPECTED_FACTS) / (turns + 1) / USUAL_FACTS);
  }
}

function clamp(value: number): number {
  return Math.min(1, Math.max(0, value));
}
