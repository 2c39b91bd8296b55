import type { Timers } from './deadline.ts';

/** The default clock, in milliseconds. */
export const machineNow = (): number => Date.now();

/** The default timers. */
export const MACHINE_TIMERS: Timers = {
  set: setTimeout,
  clear: clearTimeout as (timer: unknown) => void,
};

/** A globally unique id. It only identifies a breaker, so that detection stays deterministic. */
export const uniqueId = (): string => crypto.randomUUID();
