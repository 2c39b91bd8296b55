import type { JudgeUsage } from '../budget/metering.ts';
import { isOfJudge, JUDGE, type SpendTracker } from '../budget/spend-tracker.ts';
import type { Trip } from '../circuit/trip.ts';
import { andThen, type MaybePromise } from '../common/maybe-promise.ts';
import type { AnalyzedSignal } from '../detection/analyzed-signal.ts';
import type { Finding } from '../detection/finding.ts';
import type { ConversationEvents } from '../events/conversation-events.ts';
import type { CallSlots } from '../throttle/slots.ts';
import type { Reactions } from './reactions.ts';

/** The collaborators of {@link Bookkeeper}. */
interface BookkeeperParts {
  readonly events: ConversationEvents;
  readonly reactions: Reactions;
  readonly spend: SpendTracker;
  readonly slots: CallSlots;
}

/** Books what a conversation spends, and reacts to what the budget says of it. */
export class Bookkeeper {
  readonly #parts: BookkeeperParts;

  constructor(parts: BookkeeperParts) {
    this.#parts = parts;
  }

  /** Books what a signal reports. Returns what the budget says of it. */
  book(analyzed: AnalyzedSignal): MaybePromise<Finding | undefined> {
    const { spend, slots } = this.#parts;
    if (analyzed.signal.kind === 'usage') slots.observe(analyzed.signal);
    return spend.observe(analyzed);
  }

  /** Tells that a signal was booked, and reacts to what the budget says of it. */
  react(said: MaybePromise<Finding | undefined>, { index, signal }: AnalyzedSignal): void {
    this.#parts.reactions.reactLater(said, index, signal.at);
    if (signal.kind === 'usage') this.#emitSpend(index, signal.agent);
  }

  /** Books money that no signal reports. */
  track(nanoUsd: number, agent: string, index: number, at: number): MaybePromise<Trip | undefined> {
    const { spend, reactions } = this.#parts;
    const booked = spend.track(nanoUsd, agent, index);
    this.#emitSpend(index, agent);
    return reactions.reactTo(booked, index, at);
  }

  /** Whether there is money left for a question to the judge. A store that fails is emitted as `error`. */
  mayAskJudge(): MaybePromise<boolean> {
    const { events, spend } = this.#parts;
    const failed = (error: unknown): boolean => {
      events.emit('error', { error, during: 'store' });
      return false;
    };
    return andThen(spend.mayJudge(), (mayAsk) => mayAsk, failed);
  }

  /** Books the cost of the judge's answer. A finding about the judge's own purse stops nobody. */
  bookJudge(usage: JudgeUsage, index: number, at: number): void {
    const { spend, reactions } = this.#parts;
    const booked = andThen(spend.bookJudge(usage, index), (finding) => {
      if (finding === undefined || !isOfJudge(finding)) return finding;
      reactions.note({ finding, index, at });
      return undefined;
    });
    this.#emitSpend(index, JUDGE);
    reactions.reactLater(booked, index, at);
  }

  #emitSpend(index: number, agent: string): void {
    const { events, spend } = this.#parts;
    events.spent(index, agent, () => spend.history.total);
  }
}
