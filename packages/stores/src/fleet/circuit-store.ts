import type { CircuitState } from '@teamfuse/core';
import type { MaybePromise } from '@teamfuse/core/kit';
import type { CircuitEvent } from '@teamfuse/core/sharing';

/** A circuit as a {@link CircuitStore} knows it. */
export interface StoredCircuit {
  readonly state: CircuitState;
  /** The time by the clock of the store, which the times in `state` go by. */
  readonly at: number;
  /** The number of changes that the store had made to any circuit. Of two answers, the higher version is the later one. */
  readonly version: number;
}

/** A circuit with its id. */
export interface StoredChange extends StoredCircuit {
  readonly id: string;
}

/** What {@link CircuitStore.follow} returns. */
export interface Following {
  /** Settles once the follower knows every circuit that is not closed. */
  readonly known: MaybePromise<void>;
  /** Stops following. */
  readonly end: () => void;
}

/**
 * Shares circuits between processes: a circuit that opens in one opens in all, and one process at a time sends a probe. If a promise
 * rejects, the change may or may not have been made; it is asked for again.
 */
export interface CircuitStore {
  /** Applies an event to a circuit as `transition()` does, and returns the new state. An unknown circuit is closed. */
  apply(id: string, event: CircuitEvent, cooldownMs: number): MaybePromise<StoredCircuit>;
  /** Tells of all circuits that are not closed, then of each change. If one circuit changes several times, the last change is enough. */
  follow(changed: (changes: readonly StoredChange[]) => void): Following;
  /**
   * Notes with which options a breaker shares its circuits, beside those that are noted, and returns what was noted before. A breaker
   * whose options differ emits an `error`. So that it does after an answer that is lost, too, options that differ from those noted are
   * noted only where `known` has the noted ones: the breaker asks again.
   */
  agree?(
    options: Readonly<Record<string, string>>,
    known?: Readonly<Record<string, string>>,
  ): MaybePromise<Readonly<Record<string, string>>>;
}
