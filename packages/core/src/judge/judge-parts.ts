import type { JudgeUsage } from '../budget/metering.ts';
import type { Trip } from '../circuit/trip.ts';
import type { Timers } from '../common/deadline.ts';
import type { MaybePromise } from '../common/maybe-promise.ts';
import type { Found } from '../detection/finding.ts';
import type { Disclosure } from '../disclosure/disclosure.ts';

/** The events that a judge emits. */
interface JudgeEvents {
  emit(event: 'answer', payload: JudgeAnswer): void;
  emit(event: 'error', payload: { readonly error: unknown; readonly during: 'judge' }): void;
}

interface JudgeAnswer {
  readonly index: number;
  readonly probability: number;
  readonly reason: string;
}

/** What a {@link Judge} works with. */
export interface JudgeParts {
  readonly events: JudgeEvents;
  readonly now: () => number;
  readonly timers?: Timers | undefined;
  readonly disclosure: Disclosure;
  /** Whether the budget allows a question. Never fails. */
  readonly mayAsk: () => MaybePromise<boolean>;
  /** Whether a question of so many tokens leaves the judge below a share of what the team has spent. */
  readonly affords: (share: number, tokens: number) => boolean;
  /** Applies the configured reaction to a finding. */
  readonly act: (found: Found) => Trip | undefined;
  /** Books the cost of a question. */
  readonly book: (usage: JudgeUsage) => void;
}
