import type { Signal } from '../../signal/signal.ts';
import { type Codec, choice, count, list, number, record, text } from '../../state/codec.ts';
import { Saved } from '../../state/stateful.ts';
import type { SignalFeatures } from '../analyzed-signal.ts';
import {
  ENOUGH_WORDS,
  EXPECTED_FACTS,
  FACT_FACTOR,
  FRESH_SHARE,
  LEAK,
  OLD_SHARE,
  SAID_AGAIN,
  USUAL_FACTS,
} from '../judgement.ts';
import type { News } from '../text/vocabulary.ts';
import { NO_SUSPICION, SUSPECTED_KINDS, type SuspectedKind, type Suspicion } from './suspicion.ts';

const MAX_AGENTS = 4;

interface State {
  readonly suspicion: Suspicion;
  readonly shares: readonly number[];
  readonly lastAgent: string;
}

const NONE: readonly number[] = [0, 0, 0];
const STATE: Codec<State> = record<State>({
  suspicion: record<Suspicion>({
    score: number,
    kind: choice(SUSPECTED_KINDS),
    since: count,
    newsAt: number,
    agents: list(text, MAX_AGENTS),
  }),
  shares: list(number, SUSPECTED_KINDS.length),
  lastAgent: text,
});
const START: State = { suspicion: NO_SUSPICION, shares: NONE, lastAgent: '' };

/** Adds up the staleness of a conversation. */
export class SuspicionScore extends Saved<State> {
  constructor() {
    super(STATE, () => START);
  }

  get latest(): Suspicion {
    return this.state.suspicion;
  }

  /** The suspicion after the next step. */
  take({ agent }: Signal, reading: SignalFeatures, index: number): Suspicion {
    const { staleness, action } = reading;
    const { suspicion, lastAgent } = this.state;
    if (staleness === undefined) return suspicion;
    if (staleness === 0) {
      const none = { ...NO_SUSPICION, since: index + 1, newsAt: index };
      this.state = { suspicion: none, shares: NONE, lastAgent: agent };
      return none;
    }
    const kept = staleness >= SAID_AGAIN ? 1 : 1 - LEAK * (1 - staleness);
    const shares = this.state.shares.map((share) => share * kept);
    const kind = SUSPECTED_KINDS.indexOf(kindOf(reading, agent === lastAgent));
    shares[kind] = (shares[kind] as number) + staleness;
    const largest = shares.indexOf(Math.max(...shares));
    const isFirst = suspicion.score === 0;
    const agents = isFirst ? [] : suspicion.agents;
    const isNewAgent =
      action !== undefined && agents.length < MAX_AGENTS && !agents.includes(agent);
    const next: Suspicion = {
      score: suspicion.score * kept + staleness,
      kind: SUSPECTED_KINDS[largest] as SuspectedKind,
      since: isFirst ? index : suspicion.since,
      newsAt: suspicion.newsAt,
      agents: isNewAgent ? [...agents, agent] : agents,
    };
    this.state = { suspicion: next, shares, lastAgent: agent };
    return next;
  }
}

function kindOf({ failure, action }: SignalFeatures, isSameAgent: boolean): SuspectedKind {
  if (failure !== undefined) return 'execution-storm';
  const isTalk = action?.type === 'said' || action?.type === 'handed-over';
  return isTalk && !isSameAgent ? 'speaker-cycle' : 'repetition';
}

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
export class WordStaleness extends Saved<FactCounts> {
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
