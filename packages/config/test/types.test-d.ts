import type { BreakerOptions } from '@teamfuse/core';
import { describe, expectTypeOf, it } from 'vitest';
import type { PolicyOptions } from '../src/index.ts';

describe('a policy', () => {
  it('[POL14] gives options that a breaker takes', () => {
    expectTypeOf<PolicyOptions>().toExtend<BreakerOptions>();
  });
});
