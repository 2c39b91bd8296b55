import {
  andThen,
  BoundedMap,
  isPromise,
  type MaybePromise,
  orRejection,
  type Timers,
} from '@teamfuse/core/kit';
import { CIRCUIT, type CircuitEvent, MACHINE_TIMERS, within } from '@teamfuse/core/sharing';
import type { CircuitStore, StoredChange, StoredCircuit } from './circuit-store.ts';

/** What {@link StoreAnswers} needs. */
export interface StoreAnswersParts {
  readonly cooldownMs: number;
  readonly timers: Timers | undefined;
  /** Takes over what the store says, never something older than before. */
  readonly hear: (change: StoredChange) => void;
}

/** A store that has not answered by then has failed. */
const ANSWER_MS = 10_000;
const MAX_VERSIONS = 20_000;

/** What a store says of circuits, in the order in which it happened there: answers and changes overtake each other. */
export class StoreAnswers {
  readonly #store: CircuitStore;
  readonly #parts: StoreAnswersParts;
  /** What waits for an answer, and the latest that was told of it meanwhile. */
  readonly #waiting: Map<string, { count: number; told?: StoredChange }> = new Map();
  /** How many changes there were when each circuit was heard of last. */
  readonly #versions: BoundedMap<string, number> = new BoundedMap(MAX_VERSIONS);

  constructor(store: CircuitStore, parts: StoreAnswersParts) {
    this.#store = store;
    this.#parts = parts;
  }

  /** Whether the store is asked to change this circuit. */
  isPending(id: string): boolean {
    return this.#waiting.has(id);
  }

  /** Whether something later than this answer was heard of the circuit. */
  isOld(id: string, { version }: StoredCircuit): boolean {
    return version < (this.#versions.get(id) ?? 0);
  }

  /** Forgets what was heard: all of it may be told again. */
  reset(): void {
    this.#versions.clear();
  }

  /** Waits for the store, but not for ever. */
  inTime<T>(answer: MaybePromise<T>): MaybePromise<T> {
    if (!isPromise(answer)) return answer;
    return within(answer, ANSWER_MS, this.#parts.timers ?? MACHINE_TIMERS, () => {
      throw new Error(`the store of the circuits did not answer within ${ANSWER_MS} ms`);
    });
  }

  /** Has the store apply an event, and tells what has become of the circuit. */
  apply(id: string, event: CircuitEvent): MaybePromise<StoredCircuit> {
    const waiting = this.#waiting.get(id) ?? { count: 0 };
    this.#waiting.set(id, waiting);
    waiting.count++;
    const ended = (): StoredChange | undefined => {
      if (--waiting.count > 0) return undefined;
      this.#waiting.delete(id);
      return waiting.told;
    };
    const answered = (circuit: StoredCircuit): StoredCircuit => {
      const told = ended();
      const isLate = told !== undefined && told.version > circuit.version;
      this.take(isLate ? told : { ...circuit, id });
      return circuit;
    };
    const failed = (error: unknown): never => {
      const told = ended();
      if (told !== undefined) this.take(told);
      throw error;
    };
    const ask = () => this.inTime(this.#store.apply(id, event, this.#parts.cooldownMs));
    return orRejection(() => andThen(orRejection(ask), answered, failed));
  }

  /** Tells of a circuit, unless a later state of it is known or on its way. @throws {@link InvalidSnapshotError} */
  take(change: StoredChange): void {
    const { id, version, state } = change;
    CIRCUIT.read('circuit', state);
    const waiting = this.#waiting.get(id);
    if (waiting !== undefined) {
      if (version > (waiting.told?.version ?? 0)) waiting.told = change;
      return;
    }
    if (this.isOld(id, change)) return;
    this.#versions.set(id, version);
    this.#parts.hear(change);
  }
}
