import { setImmediate as breath } from 'node:timers/promises';

/** How long work goes on before everything else in the process has its turn. */
const WORK_MS = 10;

/**
 * A function that long work awaits now and then, so that the event loop goes on. Where the loop goes on by itself, as
 * it does while data is awaited, nothing waits: a stream that breaks meanwhile would lose what has come.
 */
export function breaths(): () => Promise<void> {
  let since: number | undefined;
  return async () => {
    if (since === undefined) {
      since = performance.now();
      setImmediate(() => {
        since = undefined;
      }).unref();
    }
    if (performance.now() - since >= WORK_MS) await breath();
  };
}
