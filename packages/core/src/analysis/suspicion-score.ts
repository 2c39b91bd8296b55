import { LEAK, SAID_AGAIN } from '../judgement.ts';
import type { Signal } from '../signal/signal.ts';
import { type Codec, choice, count, list, number, record, text } from '../state/codec.ts';
import { Kept } from '../state/stateful.ts';
import type { SignalFeatures } from './analyzed-signal.ts';
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
export class SuspicionScore extends Kept<State> {
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
