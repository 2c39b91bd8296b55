/** Where listeners wait for breakers: the same place for every copy of this package in a process. */
const LISTENERS = Symbol.for('teamfuse.breakers');

interface Announcements {
  readonly [LISTENERS]?: Iterable<(breaker: object) => void>;
}

/**
 * Shows a new breaker to whoever was there before the program, such as a recorder that was loaded ahead of it. What
 * goes wrong with one listener keeps it from no other.
 */
export function announce(breaker: object, failed: (error: unknown) => void): void {
  const { [LISTENERS]: listeners } = globalThis as Announcements;
  if (listeners === undefined) return;
  for (const listener of listeners) {
    try {
      listener(breaker);
    } catch (error) {
      failed(error);
    }
  }
}
