import { GuardInstallError } from '@teamfuse/core/kit';

/** A member that a guard has replaced. */
export interface Replacement {
  /** Whether the replacement is still there, by itself or under those of later guards. */
  isInPlace(): boolean;
  /** Restores the original, in any order of several guards. Leaves alone what others have put there since. */
  undo(): void;
}

interface Layer {
  readonly value: unknown;
  /** What it has replaced: a descriptor of the object's own, or the value that an accessor gave. */
  before: PropertyDescriptor | undefined;
  original: unknown;
}

/** The replacements of each member by guards, the first one first. */
const layers: WeakMap<object, Map<string, Layer[]>> = new WeakMap();

/**
 * Replaces a member of an object reversibly.
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
  const layer: Layer = {
    value,
    before: Object.getOwnPropertyDescriptor(target, member),
    original: view[member],
  };
  try {
    if (isAccessor(target, member)) view[member] = value;
    else {
      const { enumerable = false } = layer.before ?? {};
      Object.defineProperty(target, member, {
        value,
        enumerable,
        writable: true,
        configurable: true,
      });
    }
  } catch (cause) {
    throw new GuardInstallError(owner, `a member ${member} that can be replaced`, { cause });
  }
  if (view[member] !== value)
    throw new GuardInstallError(owner, `a member ${member} that can be replaced`);
  const own = layersOf(target, member);
  own.push(layer);
  // The replacement of a guard that was installed later leads to this one.
  const isInPlace = (): boolean => own.includes(layer) && view[member] === own.at(-1)?.value;
  return { isInPlace, undo: () => remove(target, member, own, layer) };
}

function remove(target: object, member: string, own: Layer[], layer: Layer): void {
  const at = own.indexOf(layer);
  if (at < 0) return;
  own.splice(at, 1);
  const above = own[at];
  if (above !== undefined) {
    // A guard that was installed later restores what this one has replaced.
    above.before = layer.before;
    above.original = layer.original;
    return;
  }
  const view = target as Record<string, unknown>;
  if (view[member] !== layer.value) return;
  if (isAccessor(target, member)) view[member] = layer.original;
  else if (layer.before === undefined) delete view[member];
  else Object.defineProperty(target, member, layer.before);
}

function layersOf(target: object, member: string): Layer[] {
  const members = layers.get(target) ?? new Map<string, Layer[]>();
  layers.set(target, members);
  const own = members.get(member) ?? [];
  members.set(member, own);
  return own;
}

/** Whether setting the member calls a setter of the object. */
function isAccessor(target: object, member: string): boolean {
  for (let at: object | null = target; at !== null; at = Object.getPrototypeOf(at)) {
    const descriptor = Object.getOwnPropertyDescriptor(at, member);
    if (descriptor !== undefined) return descriptor.set !== undefined;
  }
  return false;
}
