import { Breaker, type BreakerOptions, NO_DETECTORS } from '@teamfuse/core';

/** A breaker that trips for nothing but what it is given: scripted agents say the same over and over. */
export function bareBreaker(options: BreakerOptions = {}): Breaker {
  return new Breaker({ ...NO_DETECTORS, ...options });
}
