import { AsyncLocalStorage } from 'node:async_hooks';
import type { Breaker } from '@teamfuse/core';
import { ConversationPool } from './conversations.ts';
import type { Scope } from './scope.ts';

const states: WeakMap<Breaker, SharedState> = new WeakMap();

/** The state that all guards of one breaker share. */
export class SharedState {
  /** The current place inside a run, in every async context. */
  readonly scopes: AsyncLocalStorage<Scope> = new AsyncLocalStorage();
  readonly conversations: ConversationPool;
  /** Objects that a guard of this breaker is installed on. */
  readonly guarded: WeakSet<object> = new WeakSet();

  private constructor(breaker: Breaker) {
    this.conversations = new ConversationPool(breaker);
  }

  static of(breaker: Breaker): SharedState {
    let state = states.get(breaker);
    if (state === undefined) {
      state = new SharedState(breaker);
      states.set(breaker, state);
    }
    return state;
  }
}
