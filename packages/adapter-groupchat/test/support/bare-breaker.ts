import { Breaker, type BreakerOptions } from '@teamfuse/core';
import { NO_DETECTORS } from '@teamfuse/core/detectors';

/** A breaker that trips for nothing but what it is given: scripted agents say the same over and over. */
export function bareBreaker(options: BreakerOptions = {}): Breaker {
  return new Breaker({ ...NO_DETECTORS, ...options });
}
