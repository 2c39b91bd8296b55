import type { Breaker } from '@teamfuse/core';

/** The part of a breaker that is told of: that of any version of core, and that of a tenant, will do. */
export type InstrumentableBreaker = Pick<Breaker, 'on' | 'cost' | 'judged' | 'stopped'>;
