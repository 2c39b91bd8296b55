import { Breaker, type BreakerOptions } from '@teamfuse/core';

/** No built-in detector. */
export const NO_DETECTORS: BreakerOptions = {
  speakerCycle: false,
  repetition: false,
  executionStorm: false,
  historyDrift: false,
  nestedCascade: false,
  rate: false,
};

/** A breaker that trips for nothing but what it is given: scripted agents say the same over and over. */
export function bareBreaker(options: BreakerOptions = {}): Breaker {
  return new Breaker({ ...NO_DETECTORS, ...options });
}
