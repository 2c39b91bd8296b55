import type { ToolCallSignal } from '../../signal/signal.ts';
import { number, record } from '../../state/codec.ts';
import type { OverduePoll } from '../analyzed-signal.ts';
import { RecentMap } from '../recent-map.ts';
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
    command: number,
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
    command: number,
    { maxWaitMs, minPauseMs }: NonNullable<CheckedTool['polls']>,
  ): boolean {
    const before = this.get(command);
    if (before === undefined || at - before.since > maxWaitMs) return false;
    return at - before.lastAt >= minPauseMs;
  }
}
