import { InvalidSnapshotError } from '../errors.ts';
import type { JsonValue } from '../json.ts';
import { ALIKE, GROWTH, LEAK, THIRD_TIME } from '../judgement.ts';
import type { Signal } from '../signal/signal.ts';
import { type Codec, count, list, number, record, type Stateful, text } from '../state/codec.ts';
import type { SignalFeatures } from './analyzed-signal.ts';
import { NO_SUSPICION, type SuspectedKind, type Suspicion } from './suspicion.ts';

const MAX_AGENTS = 4;
const FIRST_MESSAGES = 5;

interface State {
  readonly suspicion: Suspicion;
  readonly shares: readonly number[];
  readonly lastAgent: string;
  /** Sizes of the first few messages, in tokens. */
  readonly firstSizes: readonly number[];
}

const KINDS: readonly SuspectedKind[] = [
  'speaker-cycle',
  'repetition',
  'execution-storm',
  'history-drift',
];
const [CYCLE, REPETITION, STORM, DRIFT] = [0, 1, 2, 3];
const NONE: readonly number[] = [0, 0, 0, 0];
const KIND: Codec<SuspectedKind> = {
  write: (kind) => kind,
  read: (path, json) => {
    const kind = text.read(path, json) as SuspectedKind;
    if (!KINDS.includes(kind)) throw new InvalidSnapshotError(path, KINDS.join(', '), json);
    return kind;
  },
};
const STATE: Codec<State> = record<State>({
  suspicion: record<Suspicion>({
    score: number,
    kind: KIND,
    since: count,
    agents: list(text, MAX_AGENTS),
  }),
  shares: list(number, KINDS.length),
  lastAgent: text,
  firstSizes: list(number, FIRST_MESSAGES),
});
const START: State = { suspicion: NO_SUSPICION, shares: NONE, lastAgent: '', firstSizes: [] };

/** Adds up how stale a conversation is. */
export class SuspicionScore implements Stateful {
  #state: State = START;

  /** Index of the first step since all that mattered was new. */
  get since(): number {
    return this.#state.suspicion.since;
  }

  /** Takes the next step in, with its size in tokens, and gives the suspicion after it. */
  take(signal: Signal, reading: SignalFeatures, index: number, tokens: number): Suspicion {
    const { staleness, action } = reading;
    const { suspicion, lastAgent } = this.#state;
    if (staleness === undefined) return suspicion;
    const firstSizes = this.#sizes(signal, tokens);
    if (staleness === 0) {
      const none = { ...NO_SUSPICION, since: index + 1 };
      this.#state = { suspicion: none, shares: NONE, lastAgent: signal.agent, firstSizes };
      return none;
    }
    const kept = 1 - LEAK * (1 - staleness);
    const shares = this.#state.shares.map((share) => share * kept);
    const sort = this.#sortOf(signal, reading, tokens, lastAgent);
    shares[sort] = (shares[sort] as number) + staleness;
    const isAgain = action?.type === 'said' && (reading.sameness ?? 0) < 1;
    const again = isAgain
      ? THIRD_TIME * Math.max(0, ((reading.recurrence ?? 0) - ALIKE) / (1 - ALIKE))
      : 0;
    shares[REPETITION as number] = (shares[REPETITION as number] as number) + again;
    const largest = shares.indexOf(Math.max(...shares));
    const isFirst = suspicion.score === 0;
    const agents = isFirst ? [] : suspicion.agents;
    const isNewAgent =
      action !== undefined && agents.length < MAX_AGENTS && !agents.includes(signal.agent);
    const next: Suspicion = {
      score: suspicion.score * kept + staleness + again,
      kind: KINDS[largest] as SuspectedKind,
      since: isFirst ? index : suspicion.since,
      agents: isNewAgent ? [...agents, signal.agent] : agents,
    };
    this.#state = { suspicion: next, shares, lastAgent: signal.agent, firstSizes };
    return next;
  }

  /** Starts anew: a person has spoken, or the team has waited. */
  settle(): void {
    this.#state = { ...START, firstSizes: this.#state.firstSizes };
  }

  clear(): void {
    this.#state = START;
  }

  snapshot(): JsonValue {
    return STATE.write(this.#state);
  }

  restore(path: string, json: unknown): void {
    this.#state = STATE.read(path, json);
  }

  #sortOf(
    signal: Signal,
    { failure, action }: SignalFeatures,
    tokens: number,
    lastAgent: string,
  ): number {
    if (failure !== undefined) return STORM as number;
    if (action?.type !== 'said' && action?.type !== 'handed-over') return REPETITION as number;
    const { firstSizes } = this.#state;
    const first = firstSizes.reduce((sum, size) => sum + size, 0) / Math.max(1, firstSizes.length);
    if (firstSizes.length === FIRST_MESSAGES && tokens >= GROWTH * first) return DRIFT as number;
    return signal.agent === lastAgent ? (REPETITION as number) : (CYCLE as number);
  }

  #sizes(signal: Signal, tokens: number): readonly number[] {
    const { firstSizes } = this.#state;
    const isFirst = signal.kind === 'message' && firstSizes.length < FIRST_MESSAGES;
    return isFirst ? [...firstSizes, tokens] : firstSizes;
  }
}
