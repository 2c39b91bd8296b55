import type { Breaker } from '@teamfuse/core';
import { GuardInstallError } from '@teamfuse/core/kit';

const MEMBERS = ['observe', 'admit', 'now', 'on', 'conversation'] as const;
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

/** Says which function guards an object of the other AutoGen; nothing for any other object. */
export function otherVersion(value: unknown, own: '0.2' | '0.4'): { readonly sentence?: string } {
  const [members, sentence] = OTHERS[own];
  return members.some((member) => hasMethod(value, member)) ? { sentence } : {};
}

const OTHERS = {
  '0.2': [['onMessages', 'runStream'], 'an agent or team of AutoGen 0.4; use guardTeam()'],
  '0.4': [['registerReply'], 'an agent of AutoGen 0.2; use guardAgents()'],
} as const;

function hasMethod(value: unknown, member: string): boolean {
  try {
    return typeof Object(value)[member] === 'function';
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
