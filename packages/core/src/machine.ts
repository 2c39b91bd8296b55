import type { Timers } from './deadline.ts';

/** The default clock, in milliseconds. @internal */
export const machineNow = (): number => Date.now();

/** The default timers. @internal */
export const MACHINE_TIMERS: Timers = {
  set: setTimeout,
  clear: clearTimeout as (timer: unknown) => void,
};

/** A globally unique id. It only identifies a breaker, so that detection stays deterministic. @internal */
export const uniqueId = (): string => crypto.randomUUID();
