import { EventEmitter } from 'eventemitter3';
import type { Cost } from '../budget/cost.ts';
import type { CircuitState } from '../circuit/circuit.ts';
import type { Trip } from '../circuit/trip.ts';
import { InvalidOptionError } from '../common/errors.ts';
import { inBackground, type MaybePromise } from '../common/maybe-promise.ts';
import { functionOf } from '../common/options.ts';
import type { Finding } from '../detection/finding.ts';
import type { AdmissionRequest } from '../signal/request.ts';
import type { Signal } from '../signal/signal.ts';
import { Tenant } from '../signal/tenant.ts';
import type { Counters } from './counters.ts';

/** Events of a breaker. `conversation` is the id of the conversation they belong to; empty for the main one. */
export interface BreakerEventMap {
  /**
   * A signal was observed. It is passed on unchanged, except that long names are shortened. `suspicion` is the score after it. `run` is
   * there if a run begins with it that {@link Conversation.beginRun} began, at the time that was given.
   */
  readonly signal: InConversation<{
    readonly index: number;
    readonly signal: Signal;
    readonly suspicion: number;
    readonly run?: BegunRun;
  }>;
  /** A detector or the judge found something. */
  readonly finding: InConversation<{
    readonly index: number;
    readonly finding: Finding;
    readonly effect: FindingEffect;
  }>;
  /** A circuit opened. */
  readonly trip: Trip;
  /** A step was refused. The request is a copy without secrets. `run` is there before the first signal of a run, as with `signal`. */
  readonly refusal: InConversation<{
    readonly request: AdmissionRequest;
    readonly trip: Trip;
    readonly counters: Counters;
    readonly run?: BegunRun;
  }>;
  /** Money or tokens were spent; `cost` and `counters` are totals of the conversation. A store may book the spend later. */
  readonly spend: InConversation<{
    readonly index: number;
    readonly agent: string;
    readonly cost: Cost;
    readonly counters: Counters;
  }>;
  /** A circuit changed its state. */
  readonly state: InConversation<{ readonly from: CircuitState; readonly to: CircuitState }>;
  /** A judge answered a question about the signals up to `index`; `reason` may be empty. */
  readonly answer: InConversation<{
    readonly index: number;
    readonly probability: number;
    readonly reason: string;
  }>;
  /**
   * A listener or a detector threw, or a store, a history, a recording, a judge, a price book or `redact` failed, or the usage
   * of a model call could not be read from what `run` was given, which is told once. The run continues. Without a listener, the first error is printed to the console.
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
      | 'redact'
      | 'prices'
      | 'usage';
  }>;
}

const EVENTS: Readonly<Record<keyof BreakerEventMap, true>> = {
  signal: true,
  finding: true,
  trip: true,
  refusal: true,
  spend: true,
  state: true,
  answer: true,
  error: true,
};

/** A run that was begun: the time that was given, if any. Its first signal, and what is refused before it, get the same object. */
export interface BegunRun {
  readonly at?: number;
}

/**
 * What comes of a finding: nothing, the circuit opens, or the judge is asked first. With `warn` the team should be shown `finding.reason`: once
 * per kind until it makes progress; of a limit that comes nearer, each time.
 */
export type FindingEffect = 'none' | 'ask' | 'warn' | 'stop';

type InConversation<T> = T & { readonly conversation: string };

/** Receives the payload of one event. */
export type BreakerListener<K extends keyof BreakerEventMap> = (
  payload: BreakerEventMap[K],
) => unknown;

/** Stops listening. */
export type Unsubscribe = () => void;

/** Calls listeners one after another. A listener that throws or rejects does not affect the others. */
export class BreakerEvents {
  readonly #emitter = new EventEmitter<string>();
  readonly #queue: (() => void)[] = [];
  readonly #warning: FirstErrorWarning;
  #pauses = 0;
  #isFlushing = false;

  constructor(warning: FirstErrorWarning) {
    this.#warning = warning;
  }

  /** Listens to an event in the conversations of a tenant. */
  on<K extends keyof BreakerEventMap>(
    event: K,
    listener: BreakerListener<K>,
    tenant: Tenant = Tenant.everybody,
  ): Unsubscribe {
    if (typeof event !== 'string' || !Object.hasOwn(EVENTS, event)) {
      throw new InvalidOptionError('event', Object.keys(EVENTS).join(', '), event);
    }
    functionOf('listener', listener);
    const guarded = (payload: BreakerEventMap[K]): void => this.#call(event, listener, payload);
    const name = channelOf(event, tenant.prefix);
    this.#emitter.on(name, guarded);
    return () => {
      this.#emitter.off(name, guarded);
    };
  }

  /** Whether an event of a tenant has listeners. */
  has(event: keyof BreakerEventMap, { prefixes }: Tenant = Tenant.everybody): boolean {
    return prefixes.some((prefix) => this.#emitter.listenerCount(channelOf(event, prefix)) > 0);
  }

  emit<K extends keyof BreakerEventMap>(
    event: K,
    payload: BreakerEventMap[K],
    tenant: Tenant = Tenant.everybody,
  ): void {
    if (!this.has(event, tenant)) {
      const { error, during } = payload as BreakerEventMap['error'];
      if (event === 'error') this.#warning.tell(error, during);
      return;
    }
    this.#queue.push(() => {
      for (const prefix of tenant.prefixes) this.#emitter.emit(channelOf(event, prefix), payload);
    });
    this.#flush();
  }

  /** Calls no listener until {@link BreakerEvents.resume}: it may call the breaker, and must find it consistent. */
  pause(): void {
    this.#pauses++;
  }

  /** Ends one {@link BreakerEvents.pause}. After the last one, listeners are called. */
  resume(): void {
    this.#pauses--;
    this.#flush();
  }

  /** Does `work`, during which no listener is called. If it throws, they hear of nothing that it did. */
  allOrNone<T>(work: () => T): T {
    this.pause();
    const before = this.#queue.length;
    try {
      return work();
    } catch (error) {
      this.#queue.length = before;
      throw error;
    } finally {
      this.resume();
    }
  }

  #flush(): void {
    if (this.#pauses > 0 || this.#isFlushing) return;
    this.#isFlushing = true;
    for (let send = this.#queue.shift(); send; send = this.#queue.shift()) send();
    this.#isFlushing = false;
  }

  #call<K extends keyof BreakerEventMap>(
    event: K,
    listener: BreakerListener<K>,
    payload: BreakerEventMap[K],
  ): void {
    const failed = (error: unknown): void => this.#report(event, error, payload.conversation);
    try {
      inBackground(listener(payload) as MaybePromise<unknown>, failed);
    } catch (error) {
      failed(error);
    }
  }

  #report(during: keyof BreakerEventMap, error: unknown, conversation: string): void {
    // An error listener that throws cannot be reported anywhere.
    if (during === 'error') return;
    this.emit('error', { error, during, conversation }, Tenant.of(conversation));
  }
}

/** The name under which the listeners of a tenant hear an event. */
function channelOf(event: keyof BreakerEventMap, prefix: string): string {
  return prefix === '' ? event : `${event} ${prefix}`;
}

interface Console {
  readonly console?: { warn?(text: string): void };
}

/** Prints the first error that has no listener to the console. */
export class FirstErrorWarning {
  readonly #textOf: (error: unknown) => string;
  readonly #listener: string;
  #isTold = false;

  /**
   * @param textOf what may be told of an error.
   * @param listener tells how to listen to errors.
   */
  constructor(textOf: (error: unknown) => string, listener = "breaker.on('error', …)") {
    this.#textOf = textOf;
    this.#listener = listener;
  }

  tell(error: unknown, during: string): void {
    if (this.#isTold) return;
    this.#isTold = true;
    try {
      (globalThis as Console).console?.warn?.(
        `Teamfuse: an error occurred (${during}): ${this.#textOf(error)}. The run continues. Listen with ${this.#listener}; further errors are not shown here.`,
      );
    } catch {
      // An error that cannot be shown must not end the run either.
    }
  }
}
