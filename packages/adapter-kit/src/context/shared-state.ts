import { AsyncLocalStorage } from 'node:async_hooks';
import type { Breaker } from '@teamfuse/core';
import { internalsOf } from '@teamfuse/core/kit';
import { WeakListeners } from '../install/weak-listeners.ts';
import type { RunTenant } from './for-whom.ts';
import type { Scope } from './scope.ts';
import { TeamConversations } from './team-conversations.ts';

/** A place inside a run, or else for whom runs begin, and the places of other breakers around it. */
interface Frame {
  readonly owner: SharedState;
  readonly scope: Scope | undefined;
  readonly tenant: RunTenant | undefined;
  readonly outer: Frame | undefined;
}

/** Marks where a judge asks its model: that is no step of any team. */
const ASIDE: unique symbol = Symbol('aside');

/** One for all breakers: before Node 24, every promise of a process costs time for each storage that was ever used. */
const frames: AsyncLocalStorage<Frame | typeof ASIDE> = new AsyncLocalStorage();

/** Does work past all guards of all breakers. */
export function unguarded<T>(work: () => T): T {
  return frames.run(ASIDE, work);
}

const states: WeakMap<Breaker, SharedState> = new WeakMap();

/** By which breaker each object is guarded, among those of one and its tenants. */
type Claims = WeakMap<object, Breaker>;
const claimsOf: WeakMap<object, Claims> = new WeakMap();

/** The state that all guards of one breaker share. */
export class SharedState {
  readonly conversations: TeamConversations;
  /** By which breaker an object is guarded: this one, the one that it is a part of, or another part of that. */
  readonly guarded: Claims;

  /** The guards that hear what the breaker emits, until they or their teams are gone. */
  readonly listeners: WeakListeners;

  private constructor(breaker: Breaker) {
    this.conversations = new TeamConversations(breaker);
    this.listeners = new WeakListeners(breaker);
    const { whole } = internalsOf(breaker);
    this.guarded = claimsOf.get(whole) ?? new WeakMap();
    claimsOf.set(whole, this.guarded);
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

  /** For whom the current run is; outside of all, for whom runs begin here. */
  get tenant(): RunTenant | undefined {
    const frame = this.#frame();
    return frame?.scope === undefined ? frame?.tenant : frame.scope.run.tenant;
  }

  /** Whether this breaker ignores what happens here: a guard of another breaker tests itself, or a judge is asked. */
  get isForeign(): boolean {
    const frame = frames.getStore();
    if (frame === undefined || frame === ASIDE) return frame === ASIDE;
    return frame.owner !== this && frame.scope?.run.isRehearsal === true;
  }

  /** Does work at a place. */
  enter<A extends readonly unknown[], T>(scope: Scope, work: (...args: A) => T, ...args: A): T {
    const current = frames.getStore();
    if (current === ASIDE) return work(...args);
    const outer = this.#around(current);
    return frames.run({ owner: this, scope, tenant: undefined, outer }, work, ...args);
  }

  /** Does work outside of all runs: those that begin in it are for a tenant. */
  enterFor<T>(tenant: RunTenant, work: () => T): T {
    const current = frames.getStore();
    if (current === ASIDE) return work();
    const outer = this.#around(current);
    return frames.run({ owner: this, scope: undefined, tenant, outer }, work);
  }

  /** The places of other breakers. */
  #around(current: Frame | undefined): Frame | undefined {
    return current?.owner === this ? current.outer : current;
  }

  #frame(): Frame | undefined {
    const current = frames.getStore();
    let frame = current === ASIDE ? undefined : current;
    while (frame !== undefined && frame.owner !== this) frame = frame.outer;
    return frame;
  }
}
