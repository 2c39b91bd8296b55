import { Breaker } from '@teamfuse/core';
import { NO_DETECTORS } from '@teamfuse/core/detectors';

/** The breaker of each variant. Findings stop nothing, so that all of them do the same work. */
export const VARIANTS = {
  unguarded: undefined,
  'guarded, detectors off': () => new Breaker({ ...NO_DETECTORS, reaction: 'observe' }),
  'guarded, detectors on': () => new Breaker({ reaction: 'observe' }),
};
