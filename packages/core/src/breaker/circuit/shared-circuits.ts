import type { Timers } from '../../deadline.ts';
import { MACHINE_TIMERS, uniqueId } from '../../machine.ts';
import { andThen, asking, type MaybePromise } from '../../maybe-promise.ts';
import type { Trip } from '../../trip.ts';
import { type CircuitEvent, type CircuitState, CLOSED } from './circuit.ts';
import { CIRCUIT } from './circuit-codec.ts';
import type { CircuitStore, Following, StoredChange, StoredCircuit } from './circuit-store.ts';

/** Has circuits of its own that go by those of a store. */
export interface CircuitFollower {
  /** Takes over the circuit of a conversation. */
  follow(id: string, state: CircuitState): void;
  /** Takes over a stop of a tenant, or its end. After that, its circuits are as `circuitOf` says, if it says anything. */
  followHalt(
    prefix: string,
    state: CircuitState,
    circuitOf: (id: string) => CircuitState | undefined,
  ): void;
}

/** What {@link SharedCircuits} needs of a breaker. */
export interface SharedCircuitsParts {
  readonly cooldownMs: number;
  readonly now: () => number;
  readonly timers: Timers | undefined;
  readonly report: (error: unknown) => void;
}

/** A circuit as it was heard of last, by the clock of this breaker; without a state while its probe is this breaker's. */
interface Heard {
  readonly version: number;
  readonly state: CircuitState | undefined;
}

/** What was changed here while the store could not be asked is told again so often. */
const RETRY_MS = 1_000;
const MAX_KNOWN = 20_000;
const CONVERSATION = 'c';
const HALT = 'h';

/** Keeps the circuits of a breaker and those of a {@link CircuitStore} the same. While the store is away, the breaker goes by its own. */
export class SharedCircuits {
  readonly #store: CircuitStore;
  readonly #parts: SharedCircuitsParts;
  /** The probes that the store has granted to this breaker, by id. */
  readonly #probes: Map<string, number> = new Map();
  readonly #asked: Map<string, MaybePromise<void>> = new Map();
  /** What waits for an answer of the store, and the latest that was told of it meanwhile. */
  readonly #waiting: Map<string, { count: number; told?: StoredChange }> = new Map();
  /** What was heard last, those heard of longest ago first. */
  readonly #heard: Map<string, Heard> = new Map();
  /** The latest changes here that the store has not confirmed. */
  readonly #untold: Map<string, CircuitEvent> = new Map();
  #follower: CircuitFollower | undefined;
  #following: Following | undefined;
  #known: MaybePromise<void> = undefined;
  #timer: unknown;
  #isSilent = false;

  constructor(store: CircuitStore, parts: SharedCircuitsParts) {
    this.#store = store;
    this.#parts = parts;
  }

  /** Begins to follow the store. Once more, it takes over all that is open. */
  begin(follower: CircuitFollower): void {
    this.#following?.end();
    this.#follower = follower;
    this.#heard.clear();
    const changed = (changes: readonly StoredChange[]): void => {
      for (const change of changes) this.#safely(() => this.#hear(change));
    };
    this.#safely(() => {
      this.#following = this.#store.follow(changed);
      this.#known = andThen(
        this.#following.known,
        () => this.#begun(),
        (error) => {
          this.#begun();
          this.#parts.report(error);
        },
      );
    });
  }

  /** Settles once the store has told what is open, or could not. */
  get known(): MaybePromise<void> {
    return this.#known;
  }

  #begun(): void {
    this.#known = undefined;
  }

  /** Tells of an event that has changed the circuit of a conversation here. */
  tell(id: string, event: CircuitEvent): void {
    // The store was asked for it before.
    if (event.type === 'probe' || this.#isSilent) return;
    const key = CONVERSATION + id;
    const probeId = this.#probes.get(key);
    this.#probes.delete(key);
    if (event.type === 'probe-passed' || event.type === 'probe-failed') {
      // A probe that the store knows nothing of: what it showed is true all the same.
      if (probeId !== undefined) this.#send(key, { ...event, probeId });
      else if (event.type === 'probe-passed') this.#send(key, { type: 'reset' });
      return;
    }
    this.#send(key, event);
  }

  /** Does what follows from a stop of a tenant, of which the store is told as a whole. */
  silently<T>(work: () => T): T {
    this.#isSilent = true;
    try {
      return work();
    } finally {
      this.#isSilent = false;
    }
  }

  /** Tells of a stop of a tenant, or of its end. */
  tellHalt(prefix: string, trip: Trip | undefined): void {
    this.#send(HALT + prefix, trip === undefined ? { type: 'reset' } : { type: 'stop', trip });
  }

  /** Asks for the one probe of all, for a step of time `at`. After that, the circuit here lets it through only if it is granted. */
  askProbe(id: string, at: number): MaybePromise<void> {
    const key = CONVERSATION + id;
    const known = this.#asked.get(key);
    if (known !== undefined) return known;
    const probeId = newProbeId();
    this.#probes.set(key, probeId);
    const decided = (circuit: StoredCircuit): void => {
      this.#asked.delete(key);
      this.#follower?.follow(id, this.#decided(key, circuit, { probeId, at }));
    };
    const failed = (error: unknown): void => {
      this.#asked.delete(key);
      this.#probes.delete(key);
      this.#parts.report(error);
    };
    const answer = andThen(this.#apply(key, { type: 'probe', probeId }), decided, failed);
    if (answer !== undefined) this.#asked.set(key, answer);
    return answer;
  }

  /** Gives the probe back that was asked for, if it was granted: nobody is let through. */
  giveBackProbe(id: string): void {
    const key = CONVERSATION + id;
    const probeId = this.#probes.get(key);
    this.#probes.delete(key);
    if (probeId !== undefined) this.#send(key, { type: 'probe-failed', probeId });
  }

  /** The circuit after the store was asked for a probe, which is due if it was granted. */
  #decided(
    key: string,
    circuit: StoredCircuit,
    { probeId, at }: { readonly probeId: number; readonly at: number },
  ): CircuitState {
    const { state } = circuit;
    if (state.status !== 'half-open' || state.probeId !== probeId) {
      this.#probes.delete(key);
      const heard = this.#heard.get(key);
      const isLater = heard !== undefined && heard.version > circuit.version;
      return (isLater ? heard.state : this.#localOf({ ...circuit, id: key })) ?? CLOSED;
    }
    const { trip, openings } = state;
    return { status: 'open', trip, openings, openedAt: at, probeFrom: at };
  }

  #send(key: string, given: CircuitEvent): void {
    const event = 'trip' in given ? { ...given, trip: withoutQuotes(given.trip) } : given;
    this.#untold.set(key, event);
    // What came later counts.
    const isLatest = (): boolean => this.#untold.get(key) === event;
    const told = (): void => {
      if (isLatest()) this.#untold.delete(key);
    };
    const failed = (error: unknown): void => {
      this.#parts.report(error);
      if (isLatest()) this.#retryLater();
    };
    void andThen(this.#apply(key, event), told, failed);
  }

  /** Has the store apply an event, and takes over what has become of the circuit. */
  #apply(key: string, event: CircuitEvent): MaybePromise<StoredCircuit> {
    const waiting = this.#waiting.get(key) ?? { count: 0 };
    this.#waiting.set(key, waiting);
    waiting.count++;
    const ended = (): StoredChange | undefined => {
      if (--waiting.count > 0) return undefined;
      this.#waiting.delete(key);
      return waiting.told;
    };
    const answer = asking(() => this.#store.apply(key, event, this.#parts.cooldownMs));
    const answered = (circuit: StoredCircuit): StoredCircuit => {
      const told = ended();
      const isLate = told !== undefined && told.version > circuit.version;
      this.#hear(isLate ? told : { ...circuit, id: key });
      return circuit;
    };
    const failed = (error: unknown): never => {
      const told = ended();
      if (told !== undefined) this.#hear(told);
      throw error;
    };
    return asking(() => andThen(answer, answered, failed));
  }

  /** Takes over a circuit, unless a later state of it is known. */
  #hear(change: StoredChange): void {
    const { id: key, version } = change;
    CIRCUIT.read('circuit', change.state);
    const waiting = this.#waiting.get(key);
    if (waiting !== undefined) {
      if (version > (waiting.told?.version ?? 0)) waiting.told = change;
      return;
    }
    if (version < (this.#heard.get(key)?.version ?? 0)) return;
    const state = this.#localOf(change);
    this.#note(key, { version, state });
    if (state === undefined) return;
    const name = key.slice(1);
    const circuitOf = (id: string): CircuitState | undefined => {
      const key = CONVERSATION + id;
      const heard = this.#heard.get(key);
      if (this.#waiting.has(key)) return undefined;
      return heard === undefined ? CLOSED : heard.state;
    };
    if (key.startsWith(HALT)) this.#follower?.followHalt(name, state, circuitOf);
    else this.#follower?.follow(name, state);
  }

  /** A circuit by the clock of this breaker; `undefined` while its probe is this breaker's. */
  #localOf({ id: key, state, at }: StoredChange): CircuitState | undefined {
    const now = this.#parts.now();
    const shift = now - at;
    const isOurs = state.status === 'half-open' && this.#probes.get(key) === state.probeId;
    if (isOurs) return undefined;
    this.#probes.delete(key);
    if (state.status === 'open') {
      const { openedAt, probeFrom } = state;
      return { ...state, openedAt: openedAt + shift, probeFrom: probeFrom + shift };
    }
    if (state.status !== 'half-open') return state;
    const { trip, openings, probeUntil } = state;
    // The probe is another's, and the next one is due once that is given up.
    return {
      status: 'open',
      trip,
      openings,
      openedAt: now,
      probeFrom: Math.max(now, probeUntil + shift),
    };
  }

  #note(key: string, heard: Heard): void {
    this.#heard.delete(key);
    this.#heard.set(key, heard);
    const [oldest] = this.#heard.keys();
    if (this.#heard.size > MAX_KNOWN && oldest !== undefined) this.#heard.delete(oldest);
  }

  #retryLater(): void {
    if (this.#timer !== undefined) return;
    const { set } = this.#parts.timers ?? MACHINE_TIMERS;
    this.#timer = set(() => {
      this.#timer = undefined;
      for (const [key, event] of [...this.#untold]) this.#send(key, event);
    }, RETRY_MS);
    // It keeps no process alive.
    Object(this.#timer).unref?.();
  }

  #safely(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#parts.report(error);
    }
  }
}

/** Random, so that those of no two processes are the same. */
function newProbeId(): number {
  return Number.parseInt(uniqueId().slice(-12), 16);
}

/** What others need of a trip: not the signals that it quotes. */
export function withoutQuotes(trip: Trip): Trip {
  return { ...trip, evidence: { ...trip.evidence, indices: [], signals: [] } };
}
