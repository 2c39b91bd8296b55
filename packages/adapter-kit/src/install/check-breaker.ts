import { type Breaker, GuardInstallError } from '@teamfuse/core';

const MEMBERS = ['observe', 'admit', 'settled', 'now', 'beginRun', 'on', 'conversation'] as const;

/** Checks that a value is a breaker, of this copy of the core package or another. */
export function checkBreaker(target: string, breaker: unknown): Breaker {
  const isBreaker =
    typeof breaker === 'object' &&
    breaker !== null &&
    MEMBERS.every((member) => typeof (breaker as Record<string, unknown>)[member] === 'function');
  if (isBreaker) return breaker as Breaker;
  throw new GuardInstallError(target, `a Breaker, received ${describe(breaker)}`);
}

/** A wrong argument, for the error that names it. */
export function describe(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  if (typeof value !== 'object') return `a ${typeof value}`;
  return `an object of class ${value.constructor?.name ?? 'Object'}`;
}
