import type { Breaker } from '@teamfuse/core';
import { GuardContext, type GuardOptions, installGuard, type TeamModel } from '../../src/index.ts';

/** Installs a guard that taps nothing. */
export function guard(
  breaker: Breaker,
  options: GuardOptions,
  model?: TeamModel,
): ReturnType<typeof installGuard> {
  return installGuard(new GuardContext(breaker, options), () => ({
    round: async () => {},
    speakers: [],
    model,
  }));
}
