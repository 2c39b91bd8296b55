import type { BreakerOptions } from '@teamfuse/core';
import { describe, expectTypeOf, it } from 'vitest';
import type { z } from 'zod';
import type { PolicyOptions } from '../src/index.ts';
import type { policySchema } from '../src/policy-schema.ts';

/** Schemas give what can be written; options are read only. */
type Writable<T> = T extends object ? { -readonly [K in keyof T]: Writable<T[K]> } : T;

type File = z.output<typeof policySchema>;
type Team = NonNullable<File['teams']>[string];

describe('a policy', () => {
  it('[POL14] has all options of a breaker that are data, and no others', () => {
    expectTypeOf<Writable<Omit<File, 'teams' | 'agents'>>>().toEqualTypeOf<
      Writable<PolicyOptions>
    >();
    expectTypeOf<Writable<Omit<Team, 'agents'>>>().toEqualTypeOf<Writable<PolicyOptions>>();
  });

  it('[POL14] gives options that a breaker takes', () => {
    expectTypeOf<PolicyOptions>().toExtend<BreakerOptions>();
  });
});
