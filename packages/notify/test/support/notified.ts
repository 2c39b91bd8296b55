import { Breaker, type BreakerOptions } from '@teamfuse/core';
import { FakeClock } from '@teamfuse/testing';
import {
  type Notifier,
  type NotifyError,
  type NotifyOptions,
  notifyTrips,
} from '../../src/index.ts';

/** A time that is a date, so that what is told of it can be read. */
const START: number = Date.UTC(2026, 10, 26, 22);

/** A breaker whose trips are told by a clock that stands still. */
export interface Notified {
  readonly breaker: Breaker;
  readonly clock: FakeClock;
  readonly notifier: Notifier;
  /** What was given up. */
  readonly errors: NotifyError[];
  /** For how long each timer was set. */
  readonly timers: number[];
  /** Waits for a pause before the next attempt, and ends it. */
  readonly endPause: () => Promise<number>;
}

export const TIMEOUT_MS = 7_777;

export function notified(options: NotifyOptions, of: BreakerOptions = {}): Notified {
  const clock = new FakeClock(START);
  const breaker = new Breaker({ now: clock.now, judge: false, ...of });
  const errors: NotifyError[] = [];
  const timers: number[] = [];
  const notifier = notifyTrips(breaker, {
    timeoutMs: TIMEOUT_MS,
    random: () => 1,
    now: clock.now,
    timers: {
      ...clock.timers,
      set: (ring, ms) => {
        timers.push(ms);
        return clock.timers.set(ring, ms);
      },
    },
    onError: (error) => errors.push(error),
    ...options,
  });
  let pauses = 0;
  const endPause = async (): Promise<number> => {
    const all = () => timers.filter((ms) => ms !== TIMEOUT_MS);
    await until(() => all().length > pauses);
    const ms = all()[pauses] ?? 0;
    pauses += 1;
    clock.advance(ms);
    return ms;
  };
  return { breaker, clock, notifier, errors, timers, endPause };
}

/** Lets everything else go on until something is so. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
}

/** Waits until nothing is under way. */
export async function settled({ notifier }: Pick<Notified, 'notifier'>): Promise<void> {
  await until(() => notifier.pending === 0);
}
