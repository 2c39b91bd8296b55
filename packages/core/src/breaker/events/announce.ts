/** The registry of listeners, shared by all copies of this package in a process. */
const LISTENERS = Symbol.for('teamfuse.breakers');

interface Announcements {
  readonly [LISTENERS]?: Iterable<(breaker: object) => void>;
}

/** Announces a new breaker to listeners that were loaded before the program, such as a recorder. */
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
