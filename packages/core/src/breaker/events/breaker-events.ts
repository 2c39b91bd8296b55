import { EventEmitter } from 'eventemitter3';
import { InvalidOptionError } from '../../errors.ts';
import type { Finding } from '../../finding.ts';
import { isPromise } from '../../maybe-promise.ts';
import { functionOf } from '../../options.ts';
import type { AdmissionRequest } from '../../request.ts';
import type { Signal } from '../../signal/signal.ts';
import type { Cost, Trip } from '../../trip.ts';
import type { CircuitState } from '../circuit/circuit.ts';
import type { Counters } from '../counters.ts';
import type { UntoldErrors } from './untold-errors.ts';

/** Events of a breaker. `conversation` is the id of the one that they happened in; empty for the main one. */
export interface BreakerEventMap {
  /** A signal was observed. It is handed on as it came: nothing is taken out of it or shortened but names. */
  readonly signal: InConversation<{ readonly index: number; readonly signal: Signal }>;
  /** A run began, by {@link Breaker.beginRun}; `at` is when, if that is known before its first signal. */
  readonly run: InConversation<{ readonly at: number | undefined }>;
  /** A detector found something, whatever the reaction. */
  readonly finding: InConversation<{ readonly index: number; readonly finding: Finding }>;
  /** The team should be warned: pass `finding.reason` on to it. Once per kind until it makes progress. */
  readonly warn: InConversation<{ readonly index: number; readonly finding: Finding }>;
  /** A circuit opened. */
  readonly trip: Trip;
  /** A step was asked for and refused. */
  readonly refusal: InConversation<{
    readonly request: AdmissionRequest;
    readonly trip: Trip;
    readonly counters: Counters;
  }>;
  /** Something was spent: what the conversation has spent and done in all by now. A store may book it later. */
  readonly spend: InConversation<{
    readonly index: number;
    readonly agent: string;
    readonly cost: Cost;
    readonly counters: Counters;
  }>;
  /** A circuit changed its state. */
  readonly state: InConversation<{ readonly from: CircuitState; readonly to: CircuitState }>;
  /** A judge answered a question about the conversation up to `index`; `reason` may be empty. */
  readonly answer: InConversation<{
    readonly index: number;
    readonly probability: number;
    readonly reason: string;
  }>;
  /**
   * A listener or a detector threw, or a store, a history, a recording, a judge or `redact` failed; the run goes on.
   * Without a listener the first error is shown on the console.
   */
  readonly error: InConversation<{
    readonly error: unknown;
    readonly during:
      | keyof BreakerEventMap
      | 'detector'
      | 'store'
      | 'judge'
      | 'history'
      | 'recording'
      | 'redact';
  }>;
}

const EVENTS: Readonly<Record<keyof BreakerEventMap, true>> = {
  signal: true,
  run: true,
  finding: true,
  warn: true,
  trip: true,
  refusal: true,
  spend: true,
  state: true,
  answer: true,
  error: true,
};

type InConversation<T> = T & { readonly conversation: string };

/** Receives the payload of one event. Its return value is ignored. */
export type BreakerListener<K extends keyof BreakerEventMap> = (
  payload: BreakerEventMap[K],
) => unknown;

/** Stops listening. */
export type Unsubscribe = () => void;

/** Calls listeners one after another. A listener that throws or rejects does not affect the others. @internal */
export class BreakerEvents {
  readonly #emitter = new EventEmitter<keyof BreakerEventMap>();
  readonly #queue: (() => void)[] = [];
  readonly #untold: UntoldErrors;
  #holds = 0;
  #isFlushing = false;

  constructor(untold: UntoldErrors) {
    this.#untold = untold;
  }

  on<K extends keyof BreakerEventMap>(event: K, listener: BreakerListener<K>): Unsubscribe {
    if (typeof event !== 'string' || !Object.hasOwn(EVENTS, event)) {
      throw new InvalidOptionError('event', Object.keys(EVENTS).join(', '), event);
    }
    functionOf('listener', listener);
    const guarded = (payload: BreakerEventMap[K]): void => this.#call(event, listener, payload);
    this.#emitter.on(event, guarded);
    return () => {
      this.#emitter.off(event, guarded);
    };
  }

  /** Whether an event has listeners. */
  has(event: keyof BreakerEventMap): boolean {
    return this.#emitter.listenerCount(event) > 0;
  }

  emit<K extends keyof BreakerEventMap>(event: K, payload: BreakerEventMap[K]): void {
    if (!this.has(event)) {
      if (event === 'error') this.#tell(payload as BreakerEventMap['error']);
      return;
    }
    this.#queue.push(() => this.#emitter.emit(event, payload));
    this.#flush();
  }

  /** Runs `work` and emits its events afterwards: a listener may call the breaker and must find it settled. */
  holding<T>(work: () => T): T {
    this.#holds++;
    try {
      return work();
    } finally {
      this.#holds--;
      this.#flush();
    }
  }

  #tell({ error, during }: BreakerEventMap['error']): void {
    this.#untold.tell(error, during);
  }

  #flush(): void {
    if (this.#holds > 0 || this.#isFlushing) return;
    this.#isFlushing = true;
    for (let send = this.#queue.shift(); send; send = this.#queue.shift()) send();
    this.#isFlushing = false;
  }

  #call<K extends keyof BreakerEventMap>(
    event: K,
    listener: BreakerListener<K>,
    payload: BreakerEventMap[K],
  ): void {
    try {
      const returned = listener(payload);
      if (isPromise(returned)) {
        returned.then(undefined, (error: unknown) =>
          this.#report(event, error, payload.conversation),
        );
      }
    } catch (error) {
      this.#report(event, error, payload.conversation);
    }
  }

  #report(during: keyof BreakerEventMap, error: unknown, conversation: string): void {
    // An error listener that throws cannot be reported anywhere.
    if (during !== 'error') this.emit('error', { error, during, conversation });
  }
}

/** The events of one conversation. @internal */
export class ConversationEvents {
  readonly #all: BreakerEvents;
  readonly #conversation: string;

  constructor(all: BreakerEvents, conversation: string) {
    this.#all = all;
    this.#conversation = conversation;
  }

  emit<K extends keyof BreakerEventMap>(
    event: K,
    payload: Omit<BreakerEventMap[K], 'conversation'>,
  ): void {
    if (!this.#all.has(event) && event !== 'error') return;
    const conversation = this.#conversation;
    // A trip names its conversation, and stays the same object for everybody.
    const whole = 'conversation' in payload ? payload : { ...payload, conversation };
    this.#all.emit(event, whole as BreakerEventMap[K]);
  }

  /** {@link BreakerEvents.has} */
  has(event: keyof BreakerEventMap): boolean {
    return this.#all.has(event);
  }

  /** {@link BreakerEvents.holding} */
  holding<T>(work: () => T): T {
    return this.#all.holding(work);
  }
}
