import type { ToolCallSignal } from '../../signal/signal.ts';
import { count, flag, number, orElse, record } from '../../state/codec.ts';
import { RecentMap } from '../../state/stateful.ts';
import type { OverduePoll } from '../analyzed-signal.ts';
import type { AskHash, CommandHash } from '../hashes.ts';
import { BACK_OFF, BACK_OFF_BY_LOT, BACK_OFF_MS, PATIENCE_MS, UNHURRIED_MS } from '../judgement.ts';
import type { CheckedTool } from './tool-options.ts';

const MAX_POLLS = 64;

interface Poll {
  readonly answer: number;
  readonly since: number;
  readonly lastAt: number;
}

/** The state of a declared poll. */
export interface PollReading {
  /** Whether the same answer is only part of waiting. */
  readonly isWaiting: boolean;
  readonly overdue?: OverduePoll;
}

/** Follows the tools that are declared as polled. */
export class Polls extends RecentMap<number, Poll> {
  constructor() {
    super(MAX_POLLS, number, record<Poll>({ answer: number, since: number, lastAt: number }));
  }

  /** Notes a poll. `command` identifies the call, `answer` the call with its answer. */
  observe(
    { at, tool }: ToolCallSignal,
    command: CommandHash,
    answer: number,
    { maxWaitMs, minPauseMs }: NonNullable<CheckedTool['polls']>,
  ): PollReading {
    const before = this.get(command);
    const isSame = before?.answer === answer;
    const since = isSame ? before.since : at;
    this.set(command, { answer, since, lastAt: at });
    const waitedMs = at - since;
    if (waitedMs > maxWaitMs) return { isWaiting: false, overdue: { tool, waitedMs, maxWaitMs } };
    return { isWaiting: isSame && at - before.lastAt >= minPauseMs };
  }

  /** Whether a poll at this time would be waiting if it got the same answer. Changes nothing. */
  isWaitingAt(
    at: number,
    command: CommandHash,
    { maxWaitMs, minPauseMs }: NonNullable<CheckedTool['polls']>,
  ): boolean {
    const before = this.get(command);
    if (before === undefined || at - before.since > maxWaitMs) return false;
    return at - before.lastAt >= minPauseMs;
  }
}

const MAX_RETRIES = 64;
/** A wait that is hardly shorter than the one before is as long. */
const ABOUT = 0.9;
/** A quiet time of at least this share of the one before is as long: models may have answered in it, unseen. */
const ROUGHLY = 0.75;
/** Waits that are drawn by lot grow from the shortest of the first few. */
const FIRST_WAITS = 3;

interface Moment {
  readonly at: number;
  /** By a clock that stands still while models answer and steps are held up. */
  readonly freeAt: number;
  /** How long nobody had done or said anything before. */
  readonly quietMs: number;
}

interface Retry extends Moment {
  readonly waits: number;
  readonly firstWaitMs: number;
  /** The shortest of the first few. */
  readonly leastWaitMs: number;
  readonly beforeWaitMs: number;
  readonly lastWaitMs: number;
  /** How long the service was left alone, for whatever reason. */
  readonly lastGapMs: number;
  /** Whether no wait was shorter than the one before. */
  readonly isSteady: boolean;
  /** Whether it was long quiet before each try but the first, and never for much less than before. */
  readonly isUnhurried: boolean;
  /** Whether a service turned it away, which may have said how long to wait. */
  readonly isRefusal: boolean;
}

const RETRY = record<Retry>({
  at: number,
  // Missing in older snapshots: the next wait counts as none.
  freeAt: orElse(number, Number.MAX_SAFE_INTEGER),
  quietMs: orElse(number, 0),
  waits: orElse(count, FIRST_WAITS),
  firstWaitMs: number,
  leastWaitMs: orElse(number, 0),
  beforeWaitMs: orElse(number, 0),
  lastWaitMs: number,
  lastGapMs: orElse(number, 0),
  isSteady: flag,
  isUnhurried: orElse(flag, false),
  isRefusal: flag,
});

/** Follows what fails and is tried again, to tell a retry that backs off from hammering. */
export class Retries extends RecentMap<number, Retry> {
  constructor() {
    super(MAX_RETRIES, number, RETRY);
  }

  /** Notes that a call failed; whether it was tried again after longer and longer waits, or after those that a service asks for. */
  failed(ask: AskHash, { tookMs, isRefusal, ...now }: Failed): boolean {
    const retry = { ...next(this.get(ask), now, tookMs), isRefusal };
    this.set(ask, retry);
    return isBackingOff(retry);
  }

  /** Whether a call at this time would be such a retry, or may become one, as it may wait itself. Changes nothing. */
  isBackingOffAt(ask: AskHash, now: Moment): boolean {
    const before = this.get(ask);
    return before !== undefined && (isBackingOff(before) || isBackingOff(next(before, now, 0)));
  }
}

interface Failed extends Moment {
  readonly tookMs: number;
  readonly isRefusal: boolean;
}

const NO_WAITS: Omit<Retry, keyof Moment> = {
  waits: 0,
  firstWaitMs: 0,
  leastWaitMs: 0,
  beforeWaitMs: 0,
  lastWaitMs: 0,
  lastGapMs: 0,
  isSteady: true,
  isUnhurried: true,
  isRefusal: false,
};

function next(before: Retry | undefined, now: Moment, tookMs: number): Retry {
  const { at, freeAt, quietMs } = now;
  // What comes before the first try is no wait for it.
  if (before === undefined) return { at, freeAt, quietMs: 0, ...NO_WAITS };
  // Some tools wait before they try, others are called after a wait.
  const waitMs = Math.max(tookMs, freeAt - tookMs - before.freeAt);
  const leastQuietMs = Math.max(UNHURRIED_MS, ROUGHLY * before.quietMs);
  const isEarly = before.waits < FIRST_WAITS;
  return {
    at,
    freeAt,
    quietMs,
    waits: before.waits + 1,
    firstWaitMs: before.firstWaitMs || waitMs,
    leastWaitMs: isEarly ? Math.min(before.leastWaitMs || waitMs, waitMs) : before.leastWaitMs,
    beforeWaitMs: before.lastWaitMs,
    lastWaitMs: waitMs,
    lastGapMs: Math.max(tookMs, at - tookMs - before.at),
    isUnhurried: before.isUnhurried && quietMs >= leastQuietMs,
    isSteady: before.isSteady && waitMs >= ABOUT * before.lastWaitMs,
    isRefusal: before.isRefusal,
  };
}

function isBackingOff(retry: Retry): boolean {
  const { waits, firstWaitMs, beforeWaitMs, lastWaitMs, isSteady } = retry;
  if (retry.isUnhurried && waits > 0) return true;
  if (retry.isRefusal && retry.lastGapMs >= PATIENCE_MS) return true;
  if (isSteady) return lastWaitMs >= Math.max(BACK_OFF * firstWaitMs, BACK_OFF_MS);
  if (waits < FIRST_WAITS) return false;
  const leastMs = retry.leastWaitMs || firstWaitMs;
  const longestMs = Math.max(beforeWaitMs, lastWaitMs);
  return longestMs >= Math.max(BACK_OFF_BY_LOT * leastMs, BACK_OFF_MS);
}
