import { setImmediate as breath } from 'node:timers/promises';

/** How long work goes on before everything else in the process has its turn. */
const WORK_MS = 10;

/** @internal A function that long work awaits now and then, so that the event loop goes on. */
export function breaths(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < WORK_MS) return;
    await breath();
    since = performance.now();
  };
}
