import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** How late timers were while something else was under way, in milliseconds. */
export interface LoopDelay {
  /** Of 100 turns of the event loop, 99 were less late. */
  readonly p99: number;
  readonly max: number;
}

const EVERY_MS = 5;

/**
 * How late the event loop is during `work`. On Linux it does not count how long this process waited for a processor, so that other
 * programs on a busy machine make no difference.
 */
export async function loopDelay(work: () => Promise<unknown>): Promise<LoopDelay> {
  const late: number[] = [];
  let [at, queued] = [performance.now(), queuedMs()];
  const timer = setInterval(() => {
    const [now, queuedNow] = [performance.now(), queuedMs()];
    late.push(Math.max(0, now - at - EVERY_MS - (queuedNow - queued)));
    [at, queued] = [now, queuedNow];
  }, EVERY_MS);
  await work();
  // A turn that was late is noted in the next one.
  await delay(2 * EVERY_MS);
  clearInterval(timer);
  late.sort((a, b) => a - b);
  return { p99: late[Math.floor(0.99 * late.length)] ?? 0, max: late.at(-1) ?? 0 };
}

/** How long the main thread has been ready to run without running. */
function queuedMs(): number {
  try {
    return Number(readFileSync('/proc/self/schedstat', 'utf8').split(' ')[1]) / 1e6;
  } catch {
    return 0;
  }
}
