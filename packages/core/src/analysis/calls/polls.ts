import type { JsonValue } from '../../json.ts';
import type { ToolCallSignal } from '../../signal/signal.ts';
import { number, record, type Stateful } from '../../state/codec.ts';
import type { OverduePoll } from '../analyzed-signal.ts';
import { RecentMap } from '../recent-map.ts';
import type { CheckedTool } from './tool-options.ts';

const MAX_POLLS = 64;

interface Poll {
  readonly answer: number;
  readonly since: number;
  readonly lastAt: number;
}

/** What a declared poll shows: that one is waiting, or for too long. */
export interface PollReading {
  /** Whether the same answer is no sign of standing still. */
  readonly isWaiting: boolean;
  readonly overdue?: OverduePoll;
}

/** Follows the tools that are declared to be polled. */
export class Polls implements Stateful {
  readonly #polls: RecentMap<number, Poll> = new RecentMap(
    MAX_POLLS,
    number,
    record<Poll>({ answer: number, since: number, lastAt: number }),
  );

  /** Takes a poll in. `command` is the call, `answer` the call with its answer. */
  observe(
    { at, tool }: ToolCallSignal,
    command: number,
    answer: number,
    { maxWaitMs, minPauseMs }: NonNullable<CheckedTool['polls']>,
  ): PollReading {
    const before = this.#polls.get(command);
    const isSame = before?.answer === answer;
    const since = isSame ? before.since : at;
    this.#polls.set(command, { answer, since, lastAt: at });
    const waitedMs = at - since;
    if (waitedMs > maxWaitMs) return { isWaiting: false, overdue: { tool, waitedMs, maxWaitMs } };
    return { isWaiting: isSame && at - before.lastAt >= minPauseMs };
  }

  clear(): void {
    this.#polls.clear();
  }

  snapshot(): JsonValue {
    return this.#polls.snapshot();
  }

  restore(path: string, json: unknown): void {
    this.#polls.restore(path, json);
  }
}
