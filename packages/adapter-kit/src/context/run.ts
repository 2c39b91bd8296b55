import { setMaxListeners } from 'node:events';
import { type Conversation, type Trip, TrippedError } from '@teamfuse/core';
import { ExpiryTimer, type Timers } from '@teamfuse/core/kit';
import type { ConversationPool } from './conversation-pool.ts';
import type { RunTenant } from './for-whom.ts';
import type { Run } from './scope.ts';

/** Milliseconds that models, tools and code may still run after a trip; after a stop by hand they are aborted at once. */
const GRACE_MS = 1000;

/** Milliseconds that the last answer after a stop may take. */
const LAST_ANSWER_MS = 60_000;

/** How many turns may be taken after a stop to come to the last answer: one that carries out calls, and one that asks the model. */
const MAX_LAST_TURNS = 2;

/** How an outermost run begins. */
export interface OpenRunOptions {
  /** Whether it restarts the declared limits. @defaultValue true */
  readonly restartsLimits?: boolean;
  /** Whether warnings that are still pending are dropped. @defaultValue true */
  readonly dropsNudges?: boolean;
  /** Whether it has a conversation that no other run continues. @defaultValue false */
  readonly isApart?: boolean;
  /** What an earlier run has left to go on from, if it was kept for that ({@link GuardContext.keepFor}): its conversation goes on. */
  readonly continues?: object | undefined;
  /** Whether `maxRunMs` counts only its steps: for a run whose end no framework reports. @defaultValue false */
  readonly isTimedByStep?: boolean;
  /** The id of the conversation that it continues. @defaultValue that of the guard */
  readonly conversation?: string | undefined;
}

/** An outermost run: it owns a conversation until it ends. */
export class OutermostRun implements Run {
  readonly conversation: Conversation;
  trip: Trip | undefined;
  tripBefore: Trip | undefined;
  isRefused = false;
  /** Whether its last answer was admitted. */
  isWrappedUp = false;
  readonly tenant: RunTenant | undefined;
  readonly #pool: ConversationPool;
  readonly #slot: string;
  readonly #controller: AbortController = new AbortController();
  readonly #unsubscribe: () => void;
  readonly #onStop: Set<(trip: Trip) => void> = new Set();
  readonly #deadline: ExpiryTimer;
  readonly #grace: ExpiryTimer;
  readonly #lastAnswer: ExpiryTimer;
  #lastController: AbortController | undefined;
  #lastTurns = 0;
  readonly #isTimedByStep: boolean;
  /** The steps that are under way, of a run that is timed by them. */
  #steps = 0;
  #restingSince: number | undefined;
  #people = 0;
  #isOver = false;
  #isStopped = false;

  /** `timers` schedule the end of the run time and of the grace period. @defaultValue those of the machine */
  constructor(
    pool: ConversationPool,
    timers?: Timers,
    {
      isTimedByStep = false,
      tenant,
    }: Pick<OpenRunOptions, 'isTimedByStep'> & Pick<Run, 'tenant'> = {},
  ) {
    const { slot, conversation } = pool.acquire();
    this.#pool = pool;
    this.tenant = tenant;
    this.#slot = slot;
    // Where all runs share one conversation, others are at work while this one rests.
    this.#isTimedByStep = isTimedByStep && conversation.id.endsWith(slot);
    this.conversation = conversation;
    this.tripBefore = conversation.trip;
    this.#deadline = new ExpiryTimer(timers);
    this.#grace = new ExpiryTimer(timers);
    this.#lastAnswer = new ExpiryTimer(timers);
    this.#unsubscribe = conversation.onOpen((trip) => this.#tripped(trip));
    // Each step under way listens, and any number of them may run side by side.
    setMaxListeners(0, this.#controller.signal);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Calls `listener` when the run is aborted. Returns a function that stops that. */
  onStop(listener: (trip: Trip) => void): () => void {
    this.#onStop.add(listener);
    return () => {
      this.#onStop.delete(listener);
    };
  }

  /** Watches the run time: from the beginning, or from the first signal of all runs that share one limit. */
  watchTime(): void {
    // The next signal after a wait for a person reports the length of the wait.
    if (this.#people > 0 || this.trip !== undefined || this.#isOver) return;
    if (this.#deadline.isSet || (this.#isTimedByStep && this.#steps === 0)) return;
    const { remainingMs } = this.conversation;
    if (remainingMs === undefined) return;
    this.#deadline.set(this.#checkTime, remainingMs);
    // A program that waits for nothing but a tool that hangs must not leave before its run is stopped.
    this.#deadline.keepAlive();
  }

  /** Begins a step. Returns the function that ends it. The clock of a run that is timed by its steps stops between them. */
  beginStep(): () => void {
    const { conversation } = this;
    this.wake();
    this.#restingSince = undefined;
    this.#steps++;
    this.watchTime();
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      if (--this.#steps > 0 || !this.#isTimedByStep) return;
      this.#restingSince = conversation.now();
      this.#deadline.clear();
    };
  }

  /** Leaves out of the run time what has passed since the last step, before something is reported that came of it. */
  wake(): void {
    if (this.#restingSince === undefined) return;
    const now = this.conversation.now();
    this.conversation.rested(Math.max(0, now - this.#restingSince));
    this.#restingSince = now;
  }

  /** Runs `work` that waits for a person, with the run time paused. */
  async person<T>(work: () => T | Promise<T>): Promise<T> {
    this.#people++;
    this.#deadline.clear();
    try {
      return await work();
    } finally {
      this.#people--;
    }
  }

  /** The run of its last answer: that may take a minute, unless a person stops the team. `lastWords` are what the model is told. */
  wrapUp(lastWords: string): Run {
    const { conversation, tenant } = this;
    this.#lastController ??= new AbortController();
    const { signal } = this.#lastController;
    this.#lastAnswer.set(() => this.#abortLastAnswer(this.trip), LAST_ANSWER_MS);
    const isWrapUp = true;
    return { conversation, trip: undefined, isRefused: false, signal, tenant, isWrapUp, lastWords };
  }

  /** Whether one more turn may be taken that leads to its last answer. Counts it. */
  takesLastTurn(): boolean {
    this.#lastTurns++;
    return this.#lastTurns <= MAX_LAST_TURNS;
  }

  /** Its last answer is admitted. */
  writtenUp(): void {
    this.isWrappedUp = true;
    if (this.trip !== undefined) this.trip = { ...this.trip, hasLastAnswer: true };
  }

  /** Ends the run. Idempotent. */
  end(): void {
    this.#isOver = true;
    this.#deadline.clear();
    this.#grace.clear();
    this.#lastAnswer.clear();
    this.#unsubscribe();
    this.#pool.release(this.#slot);
  }

  #abortLastAnswer(trip: Trip | undefined): void {
    if (trip !== undefined) this.#lastController?.abort(new TrippedError(trip));
  }

  readonly #checkTime = (): void => {
    if (this.#people > 0) return;
    this.conversation.checkRunTime();
    this.watchTime();
  };

  #tripped(trip: Trip): void {
    if (trip.kind === 'manual') this.#abortLastAnswer(trip);
    if (this.#isStopped) return;
    this.#isStopped = true;
    // The refusal of a step may have come before: it let go on what was under way.
    this.trip ??= trip;
    this.tripBefore = undefined;
    this.#deadline.clear();
    const abort = (): void => {
      this.#controller.abort(new TrippedError(trip));
      for (const listener of this.#onStop) listener(trip);
    };
    if (trip.kind === 'manual') abort();
    else {
      this.#grace.set(abort, GRACE_MS);
      this.#grace.keepAlive();
    }
  }
}
