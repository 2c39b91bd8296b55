import type { Breaker, Finding } from '@teamfuse/core';
import type { Unsubscribe } from '@teamfuse/core/kit';

/** Receives the events of a breaker for a guard. */
export interface GuardListener {
  warned(conversation: string, finding: Finding): void;
  failed(error: unknown): void;
}

/**
 * Passes the events of a breaker to those of its guards that still exist: a breaker may outlive many teams whose guards were never
 * uninstalled.
 */
export class WeakListeners {
  readonly #breaker: Breaker;
  readonly #guards: Map<object, WeakRef<GuardListener>> = new Map();
  readonly #gone: FinalizationRegistry<object> = new FinalizationRegistry((key) =>
    this.#forget(key),
  );
  #subscriptions: readonly Unsubscribe[] = [];

  constructor(breaker: Breaker) {
    this.#breaker = breaker;
  }

  /** How many there are. */
  get size(): number {
    return this.#guards.size;
  }

  /** Subscribes a guard until it is garbage-collected or the returned function is called. */
  add(guard: GuardListener): Unsubscribe {
    const key = {};
    this.#guards.set(key, new WeakRef(guard));
    this.#gone.register(guard, key);
    if (this.#guards.size === 1) this.#subscribe();
    return () => this.#forget(key);
  }

  #subscribe(): void {
    this.#subscriptions = [
      this.#breaker.on('finding', ({ conversation, finding, effect }) => {
        if (effect !== 'warn') return;
        for (const guard of this.#guards.values()) guard.deref()?.warned(conversation, finding);
      }),
      this.#breaker.on('error', ({ error }) => {
        for (const guard of this.#guards.values()) guard.deref()?.failed(error);
      }),
    ];
  }

  #forget(key: object): void {
    this.#guards.delete(key);
    if (this.#guards.size > 0) return;
    for (const unsubscribe of this.#subscriptions) unsubscribe();
    this.#subscriptions = [];
  }
}
