import type { StepKey } from '../hashes.ts';
import { PATIENCE_MS, SLEEP_MS, WAIT_FACTOR } from '../judgement.ts';

/** What of a step tells whether it waits for something. */
export interface WaitingStep {
  readonly at: number;
  /** When it was, by a clock that stands still while models answer and steps are held up. */
  readonly freeAt: number;
  readonly key: StepKey;
  /** Whether it is a call or a run rather than a message. */
  readonly isAct: boolean;
  /** Whether it is a message by which a program or another agent answers a model. */
  readonly isReply: boolean;
  /** Whether it may be a poll of something slow, or the answer to one. */
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
 * Until when steps that recur, the latest first, wait for something, if they do: one or two calls that succeed and take their
 * time, or a retry that backs off. Of an agent that only writes, the replies to it are the calls. A wait that lasts several
 * times as long as a lap of them, or longer than `patienceMs`, is over.
 */
export function waitsUntil(steps: readonly WaitingStep[], patienceMs: number): number | undefined {
  const acts = callsAmong(steps);
  const [latest] = acts;
  const period = new Set(acts.map(({ key }) => key)).size;
  const before = acts[period];
  if (latest === undefined || before === undefined) return undefined;
  // Measured over whole laps, which may contain a long and a short pause.
  const whole = acts.length - 1 - ((acts.length - 1) % period);
  const first = acts[whole] as WaitingStep;
  const isRetry = latest.isBackingOff && period === 1;
  if (!isRetry) {
    if (period > MAX_CALLS || !acts.every(({ isPatient }) => isPatient)) return undefined;
    const tookMs = acts.slice(0, whole).reduce((sum, one) => sum + one.tookMs, 0);
    const spanMs = latest.freeAt - first.freeAt;
    if (!takesItsTime({ spanMs, tookMs, calls: whole, laps: whole / period })) return undefined;
  }
  const averageMs = ((latest.freeAt - first.freeAt) * period) / whole;
  const lapMs = Math.max(latest.freeAt - before.freeAt, averageMs);
  return latest.freeAt + Math.min(WAIT_FACTOR * lapMs, patienceMs);
}

/** Calls and runs; or the replies to models, if nothing else was done and the time of the models is known. */
function callsAmong(steps: readonly WaitingStep[]): readonly WaitingStep[] {
  const acts = steps.filter(({ isAct }) => isAct);
  if (acts.length > 0) return acts;
  const replies = steps.filter(({ isReply }) => isReply);
  const busyMs = replies.map(({ at, freeAt }) => at - freeAt);
  return new Set(busyMs).size === replies.length ? replies : [];
}

/** Whether calls come slowly, or spend their time waiting themselves. */
export function takesItsTime({ spanMs, tookMs, calls, laps }: Stretch): boolean {
  return spanMs >= PATIENCE_MS * calls || tookMs >= SLEEP_MS * laps;
}
