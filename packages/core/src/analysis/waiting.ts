import { PATIENCE_MS, SLEEP_MS } from '../judgement.ts';

/** What of a step tells whether it waits for something. */
export interface WaitingStep {
  readonly at: number;
  readonly key: number;
  /** Whether it is a call or a run rather than a message. */
  readonly isAct: boolean;
  /** Whether it may be a poll of something slow. */
  readonly isPatient: boolean;
  /** Whether it tries again, after longer and longer waits, what failed before. */
  readonly isBackingOff: boolean;
  /** Milliseconds that a call took. */
  readonly tookMs: number;
}

/** Calls after a first one. */
interface Stretch {
  /** Milliseconds from the end of the first one to that of the last. */
  readonly spanMs: number;
  /** Milliseconds that they took themselves. */
  readonly tookMs: number;
  readonly calls: number;
  readonly laps: number;
}

/** A pause and a poll. */
const MAX_CALLS = 2;

/**
 * Whether steps that recur, the latest first, wait for something: one or two calls that succeed and take their time, or a
 * retry that backs off.
 */
export function isWaiting(steps: readonly WaitingStep[]): boolean {
  const acts = steps.filter(({ isAct }) => isAct);
  const [latest] = acts;
  if (latest === undefined) return false;
  const period = new Set(acts.map(({ key }) => key)).size;
  if (latest.isBackingOff && period === 1) return true;
  if (period > MAX_CALLS || !acts.every(({ isPatient }) => isPatient)) return false;
  // Measured over whole laps, which may contain a long and a short pause.
  const whole = acts.length - 1 - ((acts.length - 1) % period);
  const first = acts[whole];
  if (first === undefined || whole === 0) return false;
  const tookMs = acts.slice(0, whole).reduce((sum, one) => sum + one.tookMs, 0);
  return takesItsTime({ spanMs: latest.at - first.at, tookMs, calls: whole, laps: whole / period });
}

/** Whether calls come slowly, or spend their time waiting themselves. */
export function takesItsTime({ spanMs, tookMs, calls, laps }: Stretch): boolean {
  return spanMs >= PATIENCE_MS * calls || tookMs >= SLEEP_MS * laps;
}
