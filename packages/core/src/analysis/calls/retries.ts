import { BACK_OFF, BACK_OFF_MS, PATIENCE_MS } from '../../judgement.ts';
import { flag, number, record } from '../../state/codec.ts';
import { RecentMap } from '../recent-map.ts';

const MAX_RETRIES = 64;
/** A wait that is hardly shorter than the one before is as long. */
const ABOUT = 0.9;
/** Shorter waits, in milliseconds, are how long programs happen to take. */
const LEAST_MS = 100;

interface Retry {
  readonly at: number;
  readonly firstWaitMs: number;
  readonly lastWaitMs: number;
  /** Whether no wait was shorter than the one before. */
  readonly isSteady: boolean;
  /** Whether a service turned it away, which may have said how long to wait. */
  readonly isRefusal: boolean;
}

const RETRY = record<Retry>({
  at: number,
  firstWaitMs: number,
  lastWaitMs: number,
  isSteady: flag,
  isRefusal: flag,
});

/** Follows what fails and is tried again, to tell a retry that backs off from hammering. */
export class Retries extends RecentMap<number, Retry> {
  /** When a call was last asked for without a wait. Asking is not taken in, and so is in no snapshot. */
  readonly #hasty: RecentMap<number, number> = new RecentMap(MAX_RETRIES, number, number);

  constructor() {
    super(MAX_RETRIES, number, RETRY);
  }

  override clear(): void {
    super.clear();
    this.#hasty.clear();
  }

  /** Notes that a call failed; whether it was tried again after longer and longer waits, or after those that a service asks for. */
  failed(ask: number, { at, tookMs, isRefusal }: Failed): boolean {
    const retry = { ...next(this.get(ask), at, tookMs), isRefusal };
    this.set(ask, retry);
    return isBackingOff(retry);
  }

  /** Whether a call at this time would be such a retry, or may become one, as it may wait itself. Who is refused and asks on does not wait. */
  isBackingOffAt(ask: number, at: number): boolean {
    const before = this.get(ask);
    if (before === undefined) return false;
    const askedAt = this.#hasty.get(ask) ?? 0;
    const isAskedOn = askedAt > before.at;
    const since = isAskedOn ? { ...before, at: askedAt } : before;
    const isPatient = isBackingOff(next(since, at, 0)) || (!isAskedOn && isBackingOff(before));
    if (!isPatient) this.#hasty.set(ask, at);
    return isPatient;
  }
}

interface Failed {
  readonly at: number;
  readonly tookMs: number;
  readonly isRefusal: boolean;
}

function next(before: Retry | undefined, at: number, tookMs: number): Retry {
  if (before === undefined) {
    return { at, firstWaitMs: 0, lastWaitMs: 0, isSteady: true, isRefusal: false };
  }
  // Some tools wait before they try, others are called after a wait.
  const waitMs = Math.max(tookMs, at - tookMs - before.at);
  return {
    at,
    firstWaitMs: before.firstWaitMs || waitMs,
    lastWaitMs: waitMs,
    isSteady: before.isSteady && waitMs >= ABOUT * before.lastWaitMs,
    isRefusal: before.isRefusal,
  };
}

function isBackingOff({ firstWaitMs, lastWaitMs, isSteady, isRefusal }: Retry): boolean {
  if (firstWaitMs === 0 || lastWaitMs < LEAST_MS) return false;
  if (isRefusal && lastWaitMs >= PATIENCE_MS) return true;
  return isSteady && lastWaitMs >= Math.max(BACK_OFF * firstWaitMs, BACK_OFF_MS);
}
