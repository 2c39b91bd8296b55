import { type Breaker, GuardInstallError } from '@teamfuse/core';

const MEMBERS = ['observe', 'admit', 'settled', 'now', 'beginRun', 'on', 'conversation'] as const;
const NAME_LENGTH = 80;

/** Checks that a value is a breaker, of this copy of the core package or another. */
export function checkBreaker(target: string, breaker: unknown): Breaker {
  if (isBreaker(breaker)) return breaker;
  throw new GuardInstallError(target, `a Breaker, received ${describe(breaker)}`);
}

function isBreaker(value: unknown): value is Breaker {
  try {
    const members = value as Readonly<Record<string, unknown>>;
    return MEMBERS.every((member) => typeof members[member] === 'function');
  } catch {
    return false;
  }
}

/** A wrong argument, for the error that names it. */
export function describe(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  if (typeof value !== 'object') return `a ${typeof value}`;
  try {
    const { name } = value.constructor;
    return `an object of class ${typeof name === 'string' ? name.slice(0, NAME_LENGTH) : 'Object'}`;
  } catch {
    return 'an object';
  }
}
