import { BoundedMap } from '../../bounded-map.ts';
import type { Timers } from '../../deadline.ts';
import { MACHINE_TIMERS, uniqueId } from '../../machine.ts';
import { andThen, inBackground, type MaybePromise } from '../../maybe-promise.ts';
import type { Trip } from '../../trip.ts';
import { type CircuitEvent, type CircuitState, CLOSED } from './circuit.ts';
import type { CircuitStore, Following, StoredChange, StoredCircuit } from './circuit-store.ts';
import { StoreAnswers } from './store-answers.ts';

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
  /** Whether the breaker has one circuit for all. */
  readonly isOne: boolean;
  readonly report: (error: unknown) => void;
}

/** How often an unconfirmed change is sent again. */
const RETRY_MS = 1_000;
/** Most tracked circuits. */
const MAX_KNOWN = 20_000;
const CONVERSATION = 'c';
const HALT = 'h';

/** Keeps the circuits of a breaker and those of a {@link CircuitStore} the same. While the store is away, the breaker goes by its own. */
export class SharedCircuits {
  readonly #store: CircuitStore;
  readonly #answers: StoreAnswers;
  readonly #parts: SharedCircuitsParts;
  /** Ends the ids of conversations that only this breaker knows. */
  readonly #ending: string = ` @${uniqueId().slice(0, 8)}`;
  /** The probes that were asked for and not refused, by id. */
  readonly #probes: Map<string, number> = new Map();
  readonly #asked: Map<string, MaybePromise<void>> = new Map();
  /** What the store said last, by the clock of this breaker; `undefined` while the probe is this breaker's. */
  readonly #heard: BoundedMap<string, CircuitState | undefined> = new BoundedMap(MAX_KNOWN);
  /** The latest changes here that the store has not confirmed. */
  readonly #untold: BoundedMap<string, CircuitEvent> = new BoundedMap(MAX_KNOWN);
  #follower: CircuitFollower | undefined;
  #following: Following | undefined;
  #known: MaybePromise<void> = undefined;
  #timer: unknown;
  #isSilent = false;
  #isAway = false;

  constructor(store: CircuitStore, parts: SharedCircuitsParts) {
    const { cooldownMs, timers } = parts;
    this.#store = store;
    this.#answers = new StoreAnswers(store, {
      cooldownMs,
      timers,
      hear: (change) => this.#hear(change),
    });
    this.#parts = parts;
  }

  /** Begins to follow the store. Once more, it takes over all that is open. */
  begin(follower: CircuitFollower): void {
    this.#following?.end();
    this.#follower = follower;
    this.#heard.clear();
    this.#answers.reset();
    const changed = (changes: readonly StoredChange[]): void => {
      for (const change of changes) this.#safely(() => this.#answers.take(change));
    };
    this.#safely(() => {
      this.#following = this.#store.follow(changed);
      this.#known = andThen(
        this.#answers.inTime(this.#following.known),
        () => this.#begun(),
        (error) => {
          this.#begun();
          this.#failed(error);
        },
      );
    });
  }

  /** Settles once the store has told what is open, or could not. */
  get known(): MaybePromise<void> {
    return this.#known;
  }

  /** The id of a conversation that this breaker has named by itself: others may have others of that name. */
  ownId(id: string): string {
    return id + this.#ending;
  }

  /** Whether others know the conversation by this id: somebody has named it, or there is one for all. */
  isShared(id: string): boolean {
    return (id !== '' || this.#parts.isOne) && !id.endsWith(this.#ending);
  }

  /** Lets a circuit be again what the store says, if it has said anything. */
  recall(id: string): void {
    const state = this.#circuitOf(CONVERSATION + id);
    if (state !== undefined && this.#heard.has(CONVERSATION + id))
      this.#follower?.follow(id, state);
  }

  /** Tells of an event that has changed the circuit of a conversation here, from a state. */
  tell(id: string, event: CircuitEvent, from: CircuitState): void {
    // The store was asked for a probe before.
    if (event.type === 'probe' || this.#isSilent) return;
    if (event.type === 'probe-passed' || event.type === 'probe-failed') {
      this.#tellEnd(id, event);
    } else if ('trip' in event ? isCountedHere(event.trip) : isCounted(from)) {
      this.giveBackProbe(id);
      const heard = this.#heard.get(CONVERSATION + id);
      if (event.type === 'reset' && heard !== undefined) this.#follower?.follow(id, heard);
    } else {
      this.#probes.delete(CONVERSATION + id);
      this.#send(CONVERSATION + id, event);
    }
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
      this.#failed(error);
    };
    const answer = andThen(this.#answers.apply(key, { type: 'probe', probeId }), decided, failed);
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

  #tellEnd(
    id: string,
    event: Extract<CircuitEvent, { type: 'probe-passed' | 'probe-failed' }>,
  ): void {
    const key = CONVERSATION + id;
    const probeId = this.#probes.get(key);
    this.#probes.delete(key);
    if (probeId !== undefined) this.#send(key, { ...event, probeId });
    // What a probe showed that the store knows nothing of is true all the same.
    else if (event.type === 'probe-passed') this.#send(key, { type: 'reset' });
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
      const isOld = this.#answers.isOld(key, circuit);
      return (isOld ? this.#heard.get(key) : this.#localOf({ ...circuit, id: key })) ?? CLOSED;
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
      this.#isAway = false;
      if (isLatest()) this.#untold.delete(key);
    };
    const failed = (error: unknown): void => {
      this.#failed(error);
      if (isLatest()) this.#retryLater();
    };
    inBackground(andThen(this.#answers.apply(key, event), told), failed);
  }

  #hear(change: StoredChange): void {
    const { id: key } = change;
    const state = this.#localOf(change);
    this.#heard.set(key, state);
    if (state === undefined) return;
    const name = key.slice(1);
    if (!key.startsWith(HALT)) this.#follower?.follow(name, state);
    else this.#follower?.followHalt(name, state, (id) => this.#circuitOf(CONVERSATION + id));
  }

  /** What the store says of a circuit; `undefined` while that is about to change. */
  #circuitOf(key: string): CircuitState | undefined {
    if (this.#answers.isPending(key)) return undefined;
    return this.#heard.has(key) ? this.#heard.get(key) : CLOSED;
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
    // The probe is another's, and the next one is due once that is given up.
    const { trip, openings } = state;
    const probeFrom = Math.max(now, state.probeUntil + shift);
    return { status: 'open', trip, openings, openedAt: now, probeFrom };
  }

  #begun(): void {
    this.#known = undefined;
  }

  #retryLater(): void {
    if (this.#timer !== undefined) return;
    const { set } = this.#parts.timers ?? MACHINE_TIMERS;
    this.#timer = set(() => {
      this.#timer = undefined;
      for (const [key, event] of this.#untold.entries()) this.#send(key, event);
    }, RETRY_MS);
    // It keeps no process alive.
    Object(this.#timer).unref?.();
  }

  /** A store that stays away is reported once. */
  #failed(error: unknown): void {
    if (!this.#isAway) this.#parts.report(error);
    this.#isAway = true;
  }

  #safely(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#parts.report(error);
    }
  }
}

/** What budgets and limits refuse is counted by this process, or by a store of its own: it may be well within those of another. */
export function isCountedHere({ kind }: Trip): boolean {
  return kind === 'budget' || kind === 'limit';
}

function isCounted(state: CircuitState): boolean {
  return state.status !== 'closed' && isCountedHere(state.trip);
}

/** Random, so that those of no two processes are the same. */
function newProbeId(): number {
  return Number.parseInt(uniqueId().slice(-12), 16);
}

/** What others need of a trip: not the signals that it quotes. */
export function withoutQuotes(trip: Trip): Trip {
  return { ...trip, evidence: { ...trip.evidence, indices: [], signals: [] } };
}
