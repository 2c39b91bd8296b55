/** What `read` finds in a value from outside; `otherwise` where the value throws as it is read. */
export function readOr<T>(otherwise: T, read: () => T): T {
  try {
    return read();
  } catch {
    return otherwise;
  }
}

/** Whether an object has these methods. One that cannot be read has none. */
export function hasMethods(value: unknown, ...members: readonly string[]): value is object {
  if (typeof value !== 'object' || value === null) return false;
  return readOr(false, () =>
    members.every((member) => typeof Reflect.get(value, member) === 'function'),
  );
}

/** What a guard is given: one thing, or an array of them. */
export function listOf<T extends object>(given: T | readonly T[]): readonly T[] {
  return readOr<readonly T[]>([given as T], () => [given].flat() as T[]);
}
