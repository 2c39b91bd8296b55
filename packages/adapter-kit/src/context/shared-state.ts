import { AsyncLocalStorage } from 'node:async_hooks';
import type { Breaker } from '@teamfuse/core';
import { WeakListeners } from '../install/weak-listeners.ts';
import type { Scope } from './scope.ts';
import { TeamConversations } from './team-conversations.ts';

/** A scope, and the scopes of other breakers around it. */
interface Frame {
  readonly owner: SharedState;
  readonly scope: Scope;
  readonly outer: Frame | undefined;
}

/** Marks where a judge asks its model: that is no step of any team. */
const ASIDE: unique symbol = Symbol('aside');

/** One for all breakers: before Node 24, every promise of a process costs time for each storage that was ever used. */
const frames: AsyncLocalStorage<Frame | typeof ASIDE> = new AsyncLocalStorage();

/** Does work past all guards of all breakers. */
export function aside<T>(work: () => T): T {
  return frames.run(ASIDE, work);
}

const states: WeakMap<Breaker, SharedState> = new WeakMap();

/** The state that all guards of one breaker share. */
export class SharedState {
  readonly conversations: TeamConversations;
  /** Objects that a guard of this breaker is installed on. */
  readonly guarded: WeakSet<object> = new WeakSet();

  /** The guards that hear what the breaker emits, until they or their teams are gone. */
  readonly listeners: WeakListeners;

  private constructor(breaker: Breaker) {
    this.conversations = new TeamConversations(breaker);
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

  /** Whether this breaker ignores what happens here: a guard of another breaker tests itself, or a judge is asked. */
  get isForeign(): boolean {
    const frame = frames.getStore();
    if (frame === undefined || frame === ASIDE) return frame === ASIDE;
    return frame.owner !== this && frame.scope.run.isRehearsal === true;
  }

  /** Does work at a place. */
  enter<A extends readonly unknown[], T>(scope: Scope, work: (...args: A) => T, ...args: A): T {
    const current = frames.getStore();
    if (current === ASIDE) return work(...args);
    const outer = current?.owner === this ? current.outer : current;
    return frames.run({ owner: this, scope, outer }, work, ...args);
  }

  #frame(): Frame | undefined {
    const current = frames.getStore();
    let frame = current === ASIDE ? undefined : current;
    while (frame !== undefined && frame.owner !== this) frame = frame.outer;
    return frame;
  }
}
