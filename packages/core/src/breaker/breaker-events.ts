import { EventEmitter } from 'eventemitter3';
import type { Finding } from '../finding.ts';
import { isPromise } from '../maybe-promise.ts';
import type { Signal } from '../signal/signal.ts';
import type { Trip } from '../trip.ts';
import type { CircuitState } from './circuit.ts';

/** Events of a breaker, one object each. */
export interface BreakerEventMap {
  /** A signal was taken in. */
  readonly signal: { readonly index: number; readonly signal: Signal };
  /** A detector found something, whatever the reaction. */
  readonly finding: { readonly index: number; readonly finding: Finding };
  /** The team should be told, once per kind until it gets on: hand `finding.reason` to it. */
  readonly warn: { readonly index: number; readonly finding: Finding };
  /** The circuit opened. */
  readonly trip: Trip;
  /** The circuit changed its state. */
  readonly state: { readonly from: CircuitState; readonly to: CircuitState };
  /** A judge answered a question about the conversation up to `index`; `reason` may be empty. */
  readonly answer: {
    readonly index: number;
    readonly probability: number;
    readonly reason: string;
  };
  /** A listener or a detector threw, or a store or a judge failed; the run goes on. */
  readonly error: {
    readonly error: unknown;
    readonly during: keyof BreakerEventMap | 'detector' | 'store' | 'judge';
  };
}

/** Takes the payload of one event. What it returns is ignored. */
export type BreakerListener<K extends keyof BreakerEventMap> = (
  payload: BreakerEventMap[K],
) => unknown;

/** Stops listening. */
export type Unsubscribe = () => void;

/** Calls listeners one after the other, such that one that throws, or whose promise fails, harms nobody. @internal */
export class BreakerEvents {
  readonly #emitter = new EventEmitter<keyof BreakerEventMap>();
  readonly #untold: (() => void)[] = [];
  #holds = 0;
  #isTelling = false;

  on<K extends keyof BreakerEventMap>(event: K, listener: BreakerListener<K>): Unsubscribe {
    const guarded = (payload: BreakerEventMap[K]): void => this.#call(event, listener, payload);
    this.#emitter.on(event, guarded);
    return () => {
      this.#emitter.off(event, guarded);
    };
  }

  emit<K extends keyof BreakerEventMap>(event: K, payload: BreakerEventMap[K]): void {
    if (this.#emitter.listenerCount(event) === 0) return;
    this.#untold.push(() => this.#emitter.emit(event, payload));
    this.#tell();
  }

  /** Does `work`, and tells its events once it is done: a listener may call the breaker, and must find it settled. */
  holding<T>(work: () => T): T {
    this.#holds++;
    try {
      return work();
    } finally {
      this.#holds--;
      this.#tell();
    }
  }

  #tell(): void {
    if (this.#holds > 0 || this.#isTelling) return;
    this.#isTelling = true;
    for (let tell = this.#untold.shift(); tell; tell = this.#untold.shift()) tell();
    this.#isTelling = false;
  }

  #call<K extends keyof BreakerEventMap>(
    event: K,
    listener: BreakerListener<K>,
    payload: BreakerEventMap[K],
  ): void {
    try {
      const returned = listener(payload);
      if (isPromise(returned)) {
        returned.then(undefined, (error: unknown) => this.#report(event, error));
      }
    } catch (error) {
      this.#report(event, error);
    }
  }

  #report(during: keyof BreakerEventMap, error: unknown): void {
    // An error listener that throws has nobody left to be told.
    if (during !== 'error') this.emit('error', { error, during });
  }
}
