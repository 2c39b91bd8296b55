import { AsyncLocalStorage } from 'node:async_hooks';
import type { Breaker } from '@teamfuse/core';
import { WeakListeners } from '../install/weak-listeners.ts';
import { ConversationPool } from './conversations.ts';
import type { Scope } from './scope.ts';

/** A scope, and the scopes of other breakers around it. */
interface Frame {
  readonly owner: SharedState;
  readonly scope: Scope;
  readonly outer: Frame | undefined;
}

/** One for all breakers: before Node 24, every promise of a process costs time for each storage that was ever used. */
const frames: AsyncLocalStorage<Frame> = new AsyncLocalStorage();

const states: WeakMap<Breaker, SharedState> = new WeakMap();

/** The state that all guards of one breaker share. */
export class SharedState {
  readonly conversations: ConversationPool;
  /** Objects that a guard of this breaker is installed on. */
  readonly guarded: WeakSet<object> = new WeakSet();

  /** The guards that hear what the breaker emits, until they or their teams are gone. */
  readonly listeners: WeakListeners;

  private constructor(breaker: Breaker) {
    this.conversations = new ConversationPool(breaker);
    this.listeners = new WeakListeners(breaker);
  }

  static of(breaker: Breaker): SharedState {
    let state = states.get(breaker);
    if (state === undefined) {
      state = new SharedState(breaker);
      states.set(breaker, state);
    }
    return state;
  }

  /** The current place inside a run, in this async context. */
  get scope(): Scope | undefined {
    return this.#frame()?.scope;
  }

  /** Whether a guard of another breaker tests itself here: that is none of the business of all others. */
  get isRehearsedByOthers(): boolean {
    const frame = frames.getStore();
    return frame !== undefined && frame.owner !== this && frame.scope.run.isRehearsal === true;
  }

  /** Does work at a place. */
  enter<T>(scope: Scope, work: () => T): T {
    const current = frames.getStore();
    const outer = current?.owner === this ? current.outer : current;
    return frames.run({ owner: this, scope, outer }, work);
  }

  #frame(): Frame | undefined {
    let frame = frames.getStore();
    while (frame !== undefined && frame.owner !== this) frame = frame.outer;
    return frame;
  }
}
