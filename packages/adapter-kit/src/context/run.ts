import { setMaxListeners } from 'node:events';
import { type Conversation, type Trip, TrippedError } from '@teamfuse/core';
import type { ConversationPool } from './conversations.ts';
import type { Run } from './scope.ts';

/** After a trip, waits for models, tools and code end within so many milliseconds; at once if a person stopped the team. */
const GRACE_MS = 1000;

/** How an outermost run begins. */
export interface OpenRunOptions {
  /** Whether it restarts the declared limits. @defaultValue true */
  readonly restartsLimits?: boolean;
  /** Whether warnings that are still pending are dropped. @defaultValue true */
  readonly dropsNudges?: boolean;
}

/** An outermost run: it has a conversation of its own until it ends. */
export class OutermostRun implements Run {
  readonly conversation: Conversation;
  trip: Trip | undefined;
  isRefused = false;
  readonly #pool: ConversationPool;
  readonly #slot: string;
  readonly #controller: AbortController = new AbortController();
  readonly #unsubscribe: () => void;
  #deadline: NodeJS.Timeout | undefined;
  #grace: NodeJS.Timeout | undefined;
  #people = 0;
  #isOver = false;

  constructor(pool: ConversationPool) {
    const { slot, conversation } = pool.acquire();
    this.#pool = pool;
    this.#slot = slot;
    this.conversation = conversation;
    this.#unsubscribe = conversation.onOpen((trip) => this.#tripped(trip));
    // Each step under way listens, and any number of them may run side by side.
    setMaxListeners(0, this.#controller.signal);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Watches the run time: from the beginning, or from the first signal of all runs that share one limit. */
  watchTime(): void {
    // The next signal after a wait for a person says how long it was.
    if (this.#people > 0 || this.trip !== undefined || this.#isOver) return;
    if (this.#deadline !== undefined) return;
    const { remainingMs } = this.conversation;
    if (remainingMs === undefined) return;
    this.#deadline = setTimeout(() => this.#checkTime(), Math.max(1, remainingMs)).unref();
  }

  /** Runs `work` that waits for a person: that takes no run time. */
  async person<T>(work: () => T | Promise<T>): Promise<T> {
    this.#people++;
    clearTimeout(this.#deadline);
    this.#deadline = undefined;
    try {
      return await work();
    } finally {
      this.#people--;
    }
  }

  /** Ends the run. Idempotent. */
  end(): void {
    this.#isOver = true;
    clearTimeout(this.#deadline);
    clearTimeout(this.#grace);
    this.#unsubscribe();
    this.#pool.release(this.#slot);
  }

  #checkTime(): void {
    this.#deadline = undefined;
    if (this.#people > 0) return;
    this.conversation.checkRunTime();
    this.watchTime();
  }

  #tripped(trip: Trip): void {
    if (this.trip !== undefined) return;
    this.trip = trip;
    clearTimeout(this.#deadline);
    const abort = (): void => this.#controller.abort(new TrippedError(trip));
    if (trip.kind === 'manual') abort();
    else this.#grace = setTimeout(abort, GRACE_MS).unref();
  }
}
