import type { CircuitState, Trip } from '@teamfuse/core';
import { andThen, BoundedMap, inBackground, type MaybePromise } from '@teamfuse/core/kit';
import {
  type CircuitEvent,
  type CircuitFollower,
  CLOSED,
  isCountedHere,
  type SharedCircuits,
  type SharedCircuitsParts,
  withoutQuotes,
} from '@teamfuse/core/sharing';
import { Agreement } from '../agreement.ts';
import type { CircuitStore, Following, StoredChange, StoredCircuit } from './circuit-store.ts';
import { followWeakly } from './follow-weakly.ts';
import { ProbeBeats, probeOf, quietTimer } from './probe-beats.ts';
import { StoreAnswers } from './store-answers.ts';

/** How often an unconfirmed change is sent again. */
const RETRY_MS = 1_000;
/** Most tracked circuits. */
const MAX_KNOWN = 20_000;
const CONVERSATION = 'c';
const HALT = 'h';

/** Keeps the circuits of a breaker and those of a {@link CircuitStore} the same. While the store is away, the breaker goes by its own. */
export class FleetCircuits implements SharedCircuits {
  readonly #store: CircuitStore;
  readonly #answers: StoreAnswers;
  readonly #agreement: Agreement;
  readonly #parts: SharedCircuitsParts;
  /** Ends the ids of conversations that only this breaker knows. */
  readonly #ending: string = ` @${crypto.randomUUID().slice(0, 8)}`;
  /** The probes that were asked for and not refused, by id. */
  readonly #probes: Map<string, number> = new Map();
  readonly #beats: ProbeBeats;
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
    const { cooldownMs, timers, isOne } = parts;
    this.#store = store;
    this.#agreement = new Agreement({
      what: 'shared circuits',
      own: { cooldownMs: String(cooldownMs), scope: isOne ? 'breaker' : 'conversation' },
      ask:
        store.agree &&
        (async (...options) => (await this.#answers.inTime(store.agree?.(...options))) ?? {}),
      tell: parts.report,
    });
    this.#answers = new StoreAnswers(store, {
      cooldownMs,
      timers,
      hear: (change) => this.#hear(change),
    });
    this.#parts = parts;
    this.#beats = new ProbeBeats(timers, {
      isHeld: (key, probeId) => this.#probes.get(key) === probeId,
      // Where another process has taken it over meanwhile, that is heard as any change.
      goOn: (key, event) =>
        inBackground(this.#answers.apply(key, event), (error) => this.#failed(error)),
      giveUp: (key) => this.giveBackProbe(key.slice(CONVERSATION.length)),
    });
  }

  /** Begins to follow the store. Once more, it takes over all that is open. */
  begin(follower: CircuitFollower): void {
    this.#following?.end();
    this.#follower = follower;
    this.#heard.clear();
    this.#answers.reset();
    this.#safely(() => {
      this.#following = followWeakly(this.#store, this, FleetCircuits.#take);
      this.#known = andThen(
        this.#answers.inTime(this.#following.known),
        () => {
          this.#begun();
          this.#agreement.seek();
        },
        (error) => {
          this.#begun();
          this.#failed(error);
        },
      );
    });
  }

  /** Settles once the store has told what is open, or could not. */
  get ready(): MaybePromise<void> {
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
    if ('probeId' in event) {
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
  withoutBroadcast<T>(work: () => T): T {
    this.#isSilent = true;
    try {
      return work();
    } finally {
      this.#isSilent = false;
    }
  }

  /** Tells of a stop of a tenant, or of its end. */
  tellStop(prefix: string, trip: Trip | undefined): void {
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
    const answer = andThen(this.#answers.apply(key, probeOf(probeId)), decided, failed);
    if (answer !== undefined) this.#asked.set(key, answer);
    return answer;
  }

  /** Gives the probe back that was asked for, if it was granted: nobody is let through. */
  giveBackProbe(id: string): void {
    const key = CONVERSATION + id;
    const probeId = this.#probes.get(key);
    this.#probes.delete(key);
    if (probeId !== undefined) this.#send(key, { type: 'probe-cancelled', probeId });
  }

  static #take(one: FleetCircuits, changes: readonly StoredChange[]): void {
    for (const change of changes) one.#safely(() => one.#answers.take(change));
  }

  #tellEnd(
    id: string,
    event: Exclude<Extract<CircuitEvent, { probeId: number }>, { type: 'probe' }>,
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
    this.#beats.hold(key, probeId);
    return { status: 'open', trip, openings, openedAt: at, probeFrom: at };
  }

  #send(key: string, given: CircuitEvent): void {
    const event = 'trip' in given ? { ...given, trip: withoutQuotes(given.trip) } : given;
    this.#untold.set(key, event);
    // What came later counts.
    const isLatest = (): boolean => this.#untold.get(key) === event;
    const told = (): void => {
      this.#isAway = false;
      this.#agreement.seek();
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
    else this.#follower?.followStop(name, state, (id) => this.#circuitOf(CONVERSATION + id));
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
    const { timers } = this.#parts;
    this.#timer = quietTimer(timers, RETRY_MS, () => {
      this.#timer = undefined;
      for (const [key, event] of this.#untold.entries()) this.#send(key, event);
    });
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

function isCounted(state: CircuitState): boolean {
  return state.status !== 'closed' && isCountedHere(state.trip);
}

/** Random, so that those of no two processes are the same. */
function newProbeId(): number {
  return Number.parseInt(crypto.randomUUID().slice(-12), 16);
}
