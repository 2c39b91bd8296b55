import type { Breaker, Finding } from '@teamfuse/core';
import type { Unsubscribe } from '@teamfuse/core/kit';

/** Receives the events of a breaker for a guard. */
export interface BreakerHearer {
  warned(conversation: string, finding: Finding): void;
  failed(error: unknown): void;
}

/**
 * Passes the events of a breaker to those of its guards that still exist: a breaker may outlive many teams whose guards were never
 * uninstalled.
 */
export class WeakListeners {
  readonly #breaker: Breaker;
  readonly #hearers: Map<object, WeakRef<BreakerHearer>> = new Map();
  readonly #gone: FinalizationRegistry<object> = new FinalizationRegistry((key) =>
    this.#forget(key),
  );
  #subscriptions: readonly Unsubscribe[] = [];

  constructor(breaker: Breaker) {
    this.#breaker = breaker;
  }

  /** How many there are. */
  get size(): number {
    return this.#hearers.size;
  }

  /** Subscribes a guard until it is garbage-collected or the returned function is called. */
  add(hearer: BreakerHearer): Unsubscribe {
    const key = {};
    this.#hearers.set(key, new WeakRef(hearer));
    this.#gone.register(hearer, key);
    if (this.#hearers.size === 1) this.#subscribe();
    return () => this.#forget(key);
  }

  #subscribe(): void {
    this.#subscriptions = [
      this.#breaker.on('warn', ({ conversation, finding }) => {
        for (const hearer of this.#hearers.values()) hearer.deref()?.warned(conversation, finding);
      }),
      this.#breaker.on('error', ({ error }) => {
        for (const hearer of this.#hearers.values()) hearer.deref()?.failed(error);
      }),
    ];
  }

  #forget(key: object): void {
    this.#hearers.delete(key);
    if (this.#hearers.size > 0) return;
    for (const unsubscribe of this.#subscriptions) unsubscribe();
    this.#subscriptions = [];
  }
}
