import { GuardInstallError } from '@teamfuse/core';

/** A member of an object that a guard has put something of its own into. */
export interface Replacement {
  /** Whether what was put there is still there. */
  isInPlace(): boolean;
  /** Puts back what was there, unless somebody has put something else there since. */
  undo(): void;
}

/**
 * Puts a value of the guard's own in the place of a member.
 *
 * @throws {@link GuardInstallError} naming the member when it cannot be replaced.
 */
export function replaceMember(
  target: object,
  owner: string,
  member: string,
  value: unknown,
): Replacement {
  const view = target as Record<string, unknown>;
  const before = Object.getOwnPropertyDescriptor(target, member);
  const original = view[member];
  const isInPlace = (): boolean => view[member] === value;
  try {
    if (isAccessor(target, member)) view[member] = value;
    else {
      const { enumerable = false } = before ?? {};
      const data = { value, enumerable, writable: true, configurable: true };
      Object.defineProperty(target, member, data);
    }
  } catch (cause) {
    throw new GuardInstallError(owner, `a member ${member} that can be replaced`, { cause });
  }
  if (!isInPlace()) throw new GuardInstallError(owner, `a member ${member} that can be replaced`);
  return {
    isInPlace,
    undo() {
      if (!isInPlace()) return;
      if (isAccessor(target, member)) view[member] = original;
      else if (before === undefined) delete view[member];
      else Object.defineProperty(target, member, before);
    },
  };
}

/** Whether setting the member calls a function of the object's own making. */
function isAccessor(target: object, member: string): boolean {
  for (let at: object | null = target; at !== null; at = Object.getPrototypeOf(at)) {
    const descriptor = Object.getOwnPropertyDescriptor(at, member);
    if (descriptor !== undefined) return descriptor.set !== undefined;
  }
  return false;
}
