import { steady } from '../common/clock.ts';
import type { Timers } from '../common/deadline.ts';
import { ExpiryTimer } from '../common/expiry-timer.ts';
import type { MaybePromise } from '../common/maybe-promise.ts';
import { type OnCancel, Waiter } from '../common/waiter.ts';
import { counted, duration } from '../common/words.ts';
import type { Finding } from '../detection/finding.ts';
import type { ModelRequestSignal } from '../signal/signal.ts';
import type { Limiter } from './limiter.ts';
import { Limiters } from './limiters.ts';
import { SlotExpiry } from './slots.ts';
import type { ThrottleOptions } from './throttle-options.ts';

/** The slot of a call that may begin. */
export interface Slot {
  readonly finding?: undefined;
  /** The call is admitted: the minute begins in which it counts. */
  readonly begin: () => void;
  /** The call has ended. Idempotent. */
  readonly end: () => void;
  /** The call is not admitted after all, and counts for no limit. Idempotent. */
  readonly cancel: () => void;
}

/** Why a call has no slot. */
export interface NoSlot {
  readonly finding: Finding;
}

interface Waiting {
  readonly call: ModelRequestSignal;
  readonly tenantKey: string;
  readonly until: number;
  readonly waiter: Waiter<Slot | NoSlot>;
}

/** What a throttle needs. */
interface ThrottleParts {
  readonly now: () => number;
  readonly timers: Timers | undefined;
  /** Milliseconds after which the slot of a call expires whose end nobody told. */
  readonly lastsMs: number;
}

const UNLIMITED: Slot = { begin: () => {}, end: () => {}, cancel: () => {} };

/**
 * Delays model calls until all limiters have room for them. Who waits is served in turn: one call of each, the oldest that
 * fits, before the next one of the same.
 */
export class Throttle {
  readonly #limiters: Limiters;
  readonly #now: () => number;
  readonly #timer: ExpiryTimer;
  /** By whom calls are made for. The queue whose turn is next comes first, and in each the oldest call. */
  readonly #queues: Map<string, Waiting[]> = new Map();
  readonly #held: SlotExpiry;
  #count = 0;
  /** When the first of them has waited too long, at the earliest. */
  #firstUntil = Number.POSITIVE_INFINITY;

  /** @throws {@link InvalidOptionError} */
  constructor(options: ThrottleOptions, { now, timers, lastsMs }: ThrottleParts) {
    this.#limiters = new Limiters(options);
    this.#now = steady(now);
    this.#timer = new ExpiryTimer(timers);
    this.#held = new SlotExpiry(lastsMs);
  }

  /** Whether any limit is declared. */
  get isOn(): boolean {
    return this.#limiters.isAny;
  }

  /** Changes the given limits, which count for the next call, and for those that wait. They are checked. */
  change(limits: ThrottleOptions): void {
    this.#limiters.change(limits);
    this.#serve();
  }

  /** Takes a slot for a call of somebody, at once or in turn. `undefined` if `until` has ended the wait. */
  enter(
    call: ModelRequestSignal,
    tenantKey: string,
    until: OnCancel,
  ): MaybePromise<Slot | NoSlot | undefined> {
    const now = this.#tick();
    const limiters = this.#limiters.of(call, now);
    if (limiters.length === 0) return UNLIMITED;
    if (!this.#queues.has(tenantKey) && !isFull(limiters, now)) return this.#take(limiters);
    return this.#makeRoomFor(tenantKey)
      ? this.#wait(call, tenantKey, now, until)
      : this.#tooMany(call);
  }

  #wait(
    call: ModelRequestSignal,
    tenantKey: string,
    now: number,
    until: OnCancel,
  ): Promise<Slot | NoSlot | undefined> {
    const waiter = new Waiter<Slot | NoSlot>(() => this.#remove(one));
    const latest = now + this.#limiters.options.maxWaitMs;
    const one: Waiting = { call, tenantKey, until: latest, waiter };
    const queue = this.#queues.get(tenantKey);
    if (queue === undefined) this.#queues.set(tenantKey, [one]);
    else queue.push(one);
    this.#count++;
    this.#firstUntil = Math.min(this.#firstUntil, latest);
    const answer = waiter.wait(until, () => this.#serve());
    this.#serve();
    return answer;
  }

  /** Makes room for another one to wait: who has most of them waiting gives up the latest. Returns whether there is room. */
  #makeRoomFor(tenantKey: string): boolean {
    if (this.#count < this.#limiters.options.maxWaiting) return true;
    const own = this.#queues.get(tenantKey)?.length ?? 0;
    let [longest]: (Waiting[] | undefined)[] = [];
    for (const queue of this.#queues.values()) {
      if (queue.length > (longest?.length ?? 0)) longest = queue;
    }
    const latest = longest?.at(-1);
    if (latest === undefined || (longest?.length ?? 0) <= own + 1) return false;
    latest.waiter.answer(this.#tooMany(latest.call));
    return true;
  }

  /** Lets calls begin that fit, one of each tenant after the other. */
  #serve(): void {
    if (this.#count === 0) return;
    const now = this.#tick();
    let next = this.#held.expiresAt;
    // Whose call begins is set anew, and so comes again after all others.
    for (const [tenantKey, queue] of this.#queues) {
      const { whole } = this.#limiters;
      if (whole?.isFull(now)) {
        next = Math.min(next, whole.freeAt(now));
        break;
      }
      const { one, freeAt } = this.#fitting(queue, now);
      next = Math.min(next, freeAt);
      if (one === undefined) continue;
      one.waiter.answer(this.#take(this.#limiters.of(one.call, now)));
      this.#sendBack(tenantKey);
    }
    if (now >= this.#firstUntil) this.#expire(now);
    this.#timer.clear();
    if (this.#count === 0) return;
    this.#timer.set(() => this.#serve(), Math.min(next, this.#firstUntil) - now);
    this.#timer.keepAlive();
  }

  /** The oldest call of a queue that fits. Otherwise, when time may have made room. */
  #fitting(queue: readonly Waiting[], now: number): { one?: Waiting; freeAt: number } {
    const tried = new Set<string>();
    let freeAt = Number.POSITIVE_INFINITY;
    for (const one of queue) {
      // All of them are made for the same tenant.
      const { model } = one.call;
      if (tried.has(model)) continue;
      tried.add(model);
      const full = this.#limiters.of(one.call, now).filter((limiter) => limiter.isFull(now));
      if (full.length === 0) return { one, freeAt };
      for (const limiter of full) freeAt = Math.min(freeAt, limiter.freeAt(now));
    }
    return { freeAt };
  }

  /** Refuses those that have waited too long. */
  #expire(now: number): void {
    const all = [...this.#queues.values()].flat();
    for (const one of all) if (one.until <= now) one.waiter.answer(this.#tooLate(one.call));
    const times = all.filter(({ until }) => until > now).map(({ until }) => until);
    this.#firstUntil = times.reduce(
      (first, time) => Math.min(first, time),
      Number.POSITIVE_INFINITY,
    );
  }

  #take(limiters: readonly Limiter[]): Slot {
    for (const limiter of limiters) limiter.take();
    let isTaken = true;
    const end = (ends: (limiter: Limiter) => void): void => {
      if (!isTaken) return;
      isTaken = false;
      for (const limiter of limiters) ends(limiter);
    };
    const expire = (): void => end((limiter) => limiter.end());
    return {
      begin: () => {
        const now = this.#tick();
        for (const limiter of limiters) limiter.begin(now);
        this.#held.add(expire, now);
        // Only now it is known when a minute makes room again.
        this.#serve();
      },
      end: () => {
        this.#held.remove(expire);
        expire();
        this.#serve();
      },
      cancel: () => {
        end((limiter) => limiter.cancel());
        this.#serve();
      },
    };
  }

  /** Whose call has begun comes last. */
  #sendBack(tenantKey: string): void {
    const queue = this.#queues.get(tenantKey);
    if (queue === undefined) return;
    this.#queues.delete(tenantKey);
    this.#queues.set(tenantKey, queue);
  }

  #remove(one: Waiting): void {
    const queue = this.#queues.get(one.tenantKey) ?? [];
    const at = queue.indexOf(one);
    if (at < 0) return;
    queue.splice(at, 1);
    this.#count--;
    if (queue.length === 0) this.#queues.delete(one.tenantKey);
    if (this.#count === 0) this.#timer.clear();
  }

  /** The time, at which slots have expired. */
  #tick(): number {
    const now = this.#now();
    this.#held.expire(now);
    return now;
  }

  #tooMany({ agent }: ModelRequestSignal): NoSlot {
    const { maxWaiting } = this.#limiters.options;
    const reason =
      maxWaiting === 0
        ? 'no model call may wait for its turn (throttle.maxWaiting)'
        : `the limit of ${counted(maxWaiting, 'model call')} waiting for their turn is reached (throttle.maxWaiting)`;
    return noSlot(agent, reason, this.#count, maxWaiting);
  }

  #tooLate({ agent }: ModelRequestSignal): NoSlot {
    const { maxWaitMs } = this.#limiters.options;
    const reason = `a model call waited for its turn longer than ${duration(maxWaitMs)} (throttle.maxWaitMs)`;
    return noSlot(agent, reason, maxWaitMs, maxWaitMs);
  }
}

function isFull(limiters: readonly Limiter[], now: number): boolean {
  return limiters.some((limiter) => limiter.isFull(now));
}

function noSlot(agent: string, reason: string, count: number, limit: number): NoSlot {
  const evidence = { agents: [agent], indices: [], count, limit, subject: 'model calls that wait' };
  return {
    finding: { level: 'trip', kind: 'rate', basis: 'declared', reason, evidence, isPassing: true },
  };
}
