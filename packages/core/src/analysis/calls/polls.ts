import type { JsonValue } from '../../json.ts';
import type { ToolCallSignal } from '../../signal/signal.ts';
import { RecentMap } from '../recent-map.ts';
import { restoredList, restoredNumbers } from '../restored.ts';
import type { OverduePoll } from '../step.ts';
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
export class Polls {
  readonly #polls: RecentMap<number, Poll> = new RecentMap(MAX_POLLS);

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
    return this.#polls
      .entries()
      .map(([command, { answer, since, lastAt }]) => [command, answer, since, lastAt]);
  }

  /** @throws {@link InvalidSnapshotError} */
  restore(path: string, snapshot: unknown): void {
    this.#polls.clear();
    for (const entry of restoredList(path, snapshot)) {
      const [command = 0, answer = 0, since = 0, lastAt = 0] = restoredNumbers(path, entry);
      this.#polls.set(command, { answer, since, lastAt });
    }
  }
}
