import type { MaybePromise } from '../../maybe-promise.ts';
import type { CircuitEvent, CircuitState } from './circuit.ts';

/** A circuit as a {@link CircuitStore} knows it. */
export interface StoredCircuit {
  readonly state: CircuitState;
  /** The time by the clock of the store, which the times in `state` go by. */
  readonly at: number;
  /** How many changes of any circuits the store had made by then: of two answers, the one with more is the later one. */
  readonly version: number;
}

/** A circuit, and what it is known by. */
export interface StoredChange extends StoredCircuit {
  readonly id: string;
}

/** What {@link CircuitStore.follow} returns. */
export interface Following {
  /** Settles once all circuits that are not closed have been told. */
  readonly known: MaybePromise<void>;
  /** Tells no more. */
  readonly end: () => void;
}

/**
 * Keeps the circuits of many processes: one that opens in one of them is open in all, and all of them together send one probe.
 * A promise that rejects leaves open whether the store has done what it was asked for; it may be asked again.
 */
export interface CircuitStore {
  /** Applies an event to a circuit as `transition()` does, and returns what has become of it. A circuit begins closed. */
  apply(id: string, event: CircuitEvent, cooldownMs: number): MaybePromise<StoredCircuit>;
  /** Tells of all circuits that are not closed, and from then on of each change. Of several changes of one circuit, the last will do. */
  follow(changed: (changes: readonly StoredChange[]) => void): Following;
}
