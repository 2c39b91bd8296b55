import type { Timers } from '../common/deadline.ts';
import type { MaybePromise } from '../common/maybe-promise.ts';
import type { CircuitEvent, CircuitState } from './circuit.ts';
import type { Trip } from './trip.ts';

/** Has circuits of its own that go by those of other processes. */
export interface CircuitFollower {
  /** Takes over the circuit of a conversation. */
  follow(id: string, state: CircuitState): void;
  /** Takes over a stop of a tenant, or its end. After that, its circuits are as `circuitOf` says, if it says anything. */
  followStop(
    prefix: string,
    state: CircuitState,
    circuitOf: (id: string) => CircuitState | undefined,
  ): void;
}

/** What {@link SharedCircuits} need of a breaker. */
export interface SharedCircuitsParts {
  readonly cooldownMs: number;
  readonly now: () => number;
  readonly timers: Timers | undefined;
  /** Whether the breaker has one circuit for all. */
  readonly isOne: boolean;
  readonly report: (error: unknown) => void;
}

/** Keeps the circuits of a breaker and those of other processes the same. `shared()` of `@teamfuse/stores/fleet` makes it. */
export interface SharedCircuits {
  /** Resolves once it is known what is open elsewhere, or that this cannot be known. */
  readonly ready: MaybePromise<void>;
  /** Begins to follow the other processes. Once more, it takes over all that is open. */
  begin(follower: CircuitFollower): void;
  /** The id of a conversation that this breaker has named by itself: others may have others of that name. */
  ownId(id: string): string;
  /** Whether others know the conversation by this id: somebody has named it, or there is one for all. */
  isShared(id: string): boolean;
  /** Lets a circuit be again what the others say, if they have said anything. */
  recall(id: string): void;
  /** Tells of an event that has changed the circuit of a conversation here, from a state. */
  tell(id: string, event: CircuitEvent, from: CircuitState): void;
  /** Tells of a stop of a tenant, or of its end. */
  tellStop(prefix: string, trip: Trip | undefined): void;
  /** Does what follows from the stop of a tenant, without telling the others: they hear of that stop alone. */
  withoutBroadcast<T>(work: () => T): T;
  /** Asks for the one probe of the fleet, for a step of time `at`. The circuit here then lets it through only if it was granted. */
  askProbe(id: string, at: number): MaybePromise<void>;
  /** Gives the probe back that was asked for, if it was granted: nobody is let through. */
  giveBackProbe(id: string): void;
}

/** Has a breaker share its circuits with other processes. */
export type ShareCircuits = (parts: SharedCircuitsParts) => SharedCircuits;

/** What budgets and limits refuse is counted by this process, or by a store of its own: it may be well within those of another. */
export function isCountedHere({ kind }: Trip): boolean {
  return kind === 'budget' || kind === 'limit';
}

/** What others need of a trip: not the signals that it quotes. */
export function withoutQuotes(trip: Trip): Trip {
  return { ...trip, evidence: { ...trip.evidence, indices: [], signals: [] } };
}
