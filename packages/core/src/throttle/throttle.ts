import { ExpiryTimer } from '../budget/calls/expiry-timer.ts';
import type { WaitEnd } from '../budget/calls/waiting-calls.ts';
import { steady } from '../common/clock.ts';
import type { Timers } from '../common/deadline.ts';
import type { MaybePromise } from '../common/maybe-promise.ts';
import { counted, duration } from '../common/words.ts';
import type { Finding } from '../detection/finding.ts';
import type { ModelRequestSignal } from '../signal/signal.ts';
import type { Lane } from './lane.ts';
import { Lanes } from './lanes.ts';
import { HeldSlots } from './slots.ts';
import type { ThrottleOptions } from './throttle-options.ts';

/** The slot of a call that may begin. */
export interface Slot {
  readonly finding?: undefined;
  /** The call is admitted: the minute begins in which it counts. */
  readonly begin: () => void;
  /** The call has ended. Idempotent. */
  readonly leave: () => void;
  /** The call is not admitted after all, and counts for no limit. Idempotent. */
  readonly giveBack: () => void;
}

/** Why a call has no slot. */
export interface NoSlot {
  readonly finding: Finding;
}

interface Waiting {
  readonly call: ModelRequestSignal;
  readonly whose: string;
  readonly until: number;
  readonly answer: (answer: Slot | NoSlot | undefined) => void;
}

/** What a throttle needs. */
export interface ThrottleParts {
  readonly now: () => number;
  readonly timers: Timers | undefined;
  /** Milliseconds after which the slot of a call expires whose end nobody told. */
  readonly lastsMs: number;
}

const UNLIMITED: Slot = { begin: () => {}, leave: () => {}, giveBack: () => {} };

/**
 * Delays model calls until they fit the limits of all their lanes. Who waits is served in turn: one call of each, the oldest that
 * fits, before the next one of the same.
 */
export class Throttle {
  readonly #lanes: Lanes;
  readonly #now: () => number;
  readonly #timer: ExpiryTimer;
  /** By whom they are made for. Whose turn it is comes first; the oldest call of each comes first. */
  readonly #waiting: Map<string, Waiting[]> = new Map();
  readonly #held: HeldSlots;
  #count = 0;
  /** When the first of them has waited too long, at the earliest. */
  #firstUntil = Number.POSITIVE_INFINITY;

  /** @throws {@link InvalidOptionError} */
  constructor(options: ThrottleOptions, { now, timers, lastsMs }: ThrottleParts) {
    this.#lanes = new Lanes(options);
    this.#now = steady(now);
    this.#timer = new ExpiryTimer(timers);
    this.#held = new HeldSlots(lastsMs);
  }

  /** Whether any limit is declared. */
  get isOn(): boolean {
    return this.#lanes.isAny;
  }

  /** Changes the given limits, which count for the next call, and for those that wait. @throws {@link InvalidOptionError} */
  change(limits: ThrottleOptions): void {
    this.#lanes.change(limits);
    this.#serve();
  }

  /** Takes a slot for a call of somebody, at once or in turn. `undefined` if `until` has ended the wait. */
  enter(
    call: ModelRequestSignal,
    whose: string,
    until: WaitEnd,
  ): MaybePromise<Slot | NoSlot | undefined> {
    const now = this.#read();
    const lanes = this.#lanes.of(call, now);
    if (lanes.length === 0) return UNLIMITED;
    if (!this.#waiting.has(whose) && !isFull(lanes, now)) return this.#take(lanes);
    return this.#isCrowdedFor(whose) ? this.#tooMany(call) : this.#wait(call, whose, now, until);
  }

  #wait(
    call: ModelRequestSignal,
    whose: string,
    now: number,
    until: WaitEnd,
  ): Promise<Slot | NoSlot | undefined> {
    return new Promise((resolve) => {
      let unsubscribe = (): void => {};
      const one: Waiting = {
        call,
        whose,
        until: now + this.#lanes.options.maxWaitMs,
        answer: (answer) => {
          unsubscribe();
          this.#remove(one);
          resolve(answer);
        },
      };
      const queue = this.#waiting.get(whose);
      if (queue === undefined) this.#waiting.set(whose, [one]);
      else queue.push(one);
      this.#count++;
      this.#firstUntil = Math.min(this.#firstUntil, one.until);
      let hasEnded = false;
      unsubscribe = until(() => {
        hasEnded = true;
        if (!this.#isWaiting(one)) return;
        one.answer(undefined);
        this.#serve();
      });
      if (hasEnded) unsubscribe();
      else this.#serve();
    });
  }

  /** Whether there is no room for another one to wait. Who has most of them waiting gives up the latest for it. */
  #isCrowdedFor(whose: string): boolean {
    if (this.#count < this.#lanes.options.maxWaiting) return false;
    const own = this.#waiting.get(whose)?.length ?? 0;
    let [longest]: (Waiting[] | undefined)[] = [];
    for (const queue of this.#waiting.values()) {
      if (queue.length > (longest?.length ?? 0)) longest = queue;
    }
    const latest = longest?.at(-1);
    if (latest === undefined || (longest?.length ?? 0) <= own + 1) return true;
    latest.answer(this.#tooMany(latest.call));
    return false;
  }

  /** Lets calls begin that fit, one of each tenant after the other. */
  #serve(): void {
    if (this.#count === 0) return;
    const now = this.#read();
    let next = this.#held.expiresAt;
    // Whose call begins is set anew, and so comes again after all others.
    for (const [whose, queue] of this.#waiting) {
      const { whole } = this.#lanes;
      if (whole?.isFull(now)) {
        next = Math.min(next, whole.freeAt(now));
        break;
      }
      const { one, freeAt } = this.#fitting(queue, now);
      next = Math.min(next, freeAt);
      if (one === undefined) continue;
      one.answer(this.#take(this.#lanes.of(one.call, now)));
      this.#sendBack(whose);
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
      const full = this.#lanes.of(one.call, now).filter((lane) => lane.isFull(now));
      if (full.length === 0) return { one, freeAt };
      for (const lane of full) freeAt = Math.min(freeAt, lane.freeAt(now));
    }
    return { freeAt };
  }

  /** Refuses those that have waited too long. */
  #expire(now: number): void {
    const all = [...this.#waiting.values()].flat();
    for (const one of all) if (one.until <= now) one.answer(this.#tooLate(one.call));
    const times = all.filter(({ until }) => until > now).map(({ until }) => until);
    this.#firstUntil = times.reduce(
      (first, time) => Math.min(first, time),
      Number.POSITIVE_INFINITY,
    );
  }

  #take(lanes: readonly Lane[]): Slot {
    for (const lane of lanes) lane.take();
    let isTaken = true;
    const end = (ends: (lane: Lane) => void): void => {
      if (!isTaken) return;
      isTaken = false;
      for (const lane of lanes) ends(lane);
    };
    const expire = (): void => end((lane) => lane.end());
    return {
      begin: () => {
        const now = this.#read();
        for (const lane of lanes) lane.begin(now);
        this.#held.add(expire, now);
      },
      leave: () => {
        this.#held.remove(expire);
        expire();
        this.#serve();
      },
      giveBack: () => {
        end((lane) => lane.giveBack());
        this.#serve();
      },
    };
  }

  /** Whose call has begun comes last. */
  #sendBack(whose: string): void {
    const queue = this.#waiting.get(whose);
    if (queue === undefined) return;
    this.#waiting.delete(whose);
    this.#waiting.set(whose, queue);
  }

  #remove(one: Waiting): void {
    const queue = this.#waiting.get(one.whose) ?? [];
    const at = queue.indexOf(one);
    if (at < 0) return;
    queue.splice(at, 1);
    this.#count--;
    if (queue.length === 0) this.#waiting.delete(one.whose);
    if (this.#count === 0) this.#timer.clear();
  }

  #isWaiting(one: Waiting): boolean {
    return this.#waiting.get(one.whose)?.includes(one) === true;
  }

  #read(): number {
    const now = this.#now();
    this.#held.expire(now);
    return now;
  }

  #tooMany({ agent }: ModelRequestSignal): NoSlot {
    const { maxWaiting } = this.#lanes.options;
    const reason =
      maxWaiting === 0
        ? 'no model call may wait for its turn (throttle.maxWaiting)'
        : `the limit of ${counted(maxWaiting, 'model call')} waiting for their turn is reached (throttle.maxWaiting)`;
    return refused(agent, reason, this.#count, maxWaiting);
  }

  #tooLate({ agent }: ModelRequestSignal): NoSlot {
    const { maxWaitMs } = this.#lanes.options;
    const reason = `a model call waited for its turn longer than ${duration(maxWaitMs)} (throttle.maxWaitMs)`;
    return refused(agent, reason, maxWaitMs, maxWaitMs);
  }
}

function isFull(lanes: readonly Lane[], now: number): boolean {
  return lanes.some((lane) => lane.isFull(now));
}

function refused(agent: string, reason: string, count: number, limit: number): NoSlot {
  const evidence = { agents: [agent], indices: [], count, limit, subject: 'model calls that wait' };
  return {
    finding: { level: 'trip', kind: 'rate', basis: 'declared', reason, evidence, isPassing: true },
  };
}
