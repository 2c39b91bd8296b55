import type { Step } from '../analysis/step.ts';
import { COST, NO_COST, SpendHistory, sum } from '../breaker/spend-history.ts';
import { InvalidSnapshotError } from '../errors.ts';
import type { Finding } from '../finding.ts';
import type { JsonValue } from '../json.ts';
import type { JudgeUsage } from '../judge/question.ts';
import type { MaybePromise } from '../maybe-promise.ts';
import type { ModelRequestSignal, UsageSignal } from '../signal/signal.ts';
import type { Cost } from '../trip.ts';
import { plus, toNanoUsd } from './amount.ts';
import { Budget, type BudgetOptions } from './budget.ts';
import { ContextWindow, type ContextWindowOptions } from './context-window.ts';
import { HistoryMeter } from './history-meter.ts';

interface PurseOptions {
  readonly budget?: BudgetOptions;
  readonly contextWindow?: ContextWindowOptions;
}

/** Who is said to have spent what a judge costs. */
const JUDGE = 'judge';

/** All about spend: the budget, the model's window, and what was spent when. @internal */
export class Purse {
  readonly history: SpendHistory = new SpendHistory();
  readonly #budget: Budget;
  readonly #window: ContextWindow | undefined;
  /** Only where something depends on it: reading every text costs time. */
  readonly #meter: HistoryMeter | undefined;
  #judgeCost: Cost = NO_COST;

  constructor({ budget, contextWindow }: PurseOptions) {
    this.#budget = new Budget(budget);
    this.#window = contextWindow && new ContextWindow(contextWindow);
    this.#meter = this.#budget.isLimited || this.#window ? new HistoryMeter() : undefined;
  }

  /** What of it a judge has cost. */
  get judgeCost(): Cost {
    return this.#judgeCost;
  }

  /** Takes in what was said and spent. */
  observe({ signal, index, tokens }: Step): MaybePromise<Finding | undefined> {
    this.#meter?.observe(signal, tokens);
    if (signal.kind !== 'usage') return undefined;
    const cost = this.#costOf(signal);
    this.history.record(index, cost);
    return this.#budget.settle(signal, cost);
  }

  /** A finding if a call does not fit the window. */
  misfit(signal: ModelRequestSignal): Finding | undefined {
    return this.#window?.request(signal, this.#promptTokens(signal));
  }

  /** Reserves what a call needs; a finding if the budget has not got it. */
  reserve(signal: ModelRequestSignal): MaybePromise<Finding | undefined> {
    return this.#budget.request(signal, this.#promptTokens(signal));
  }

  /** Lets go of what was reserved for a call that is not made after all. */
  release(signal: ModelRequestSignal): MaybePromise<undefined> {
    return this.#budget.release(signal);
  }

  /** Books money spent outside any signal. */
  track(nanoUsd: number, agent: string, index: number): MaybePromise<Finding | undefined> {
    this.history.record(index, { nanoUsd, tokens: 0, unpricedTokens: 0, isEstimate: false });
    return this.#budget.track({ nanoUsd, tokens: 0 }, agent);
  }

  /** Books what a judge has cost. A price that is unknown counts as tokens only. */
  bookJudge(usage: JudgeUsage, index: number): MaybePromise<Finding | undefined> {
    const tokens = plus(usage.inputTokens, usage.outputTokens);
    const nanoUsd = toNanoUsd(usage.costUsd ?? 0);
    const unpricedTokens = usage.costUsd === null ? tokens : 0;
    const cost = { nanoUsd, tokens, unpricedTokens, isEstimate: false };
    this.history.record(index, cost);
    this.#judgeCost = sum(this.#judgeCost, cost);
    return this.#budget.track(cost, JUDGE);
  }

  /** Forgets what was said, not what was spent. */
  forget(): void {
    this.#meter?.reset();
    this.history.forget();
  }

  snapshot(): JsonValue {
    return {
      history: this.history.snapshot(),
      judge: COST.write(this.#judgeCost),
      meter: this.#meter?.snapshot() ?? null,
      books: this.#budget.books?.snapshot() ?? null,
    };
  }

  restore(snapshot: JsonValue): void {
    const { history, judge, meter, books } = Object(snapshot);
    if (history === undefined) throw new InvalidSnapshotError('purse', 'what was spent', snapshot);
    this.history.restore(history);
    this.#judgeCost = COST.read('purse.judge', judge);
    if (this.#meter) this.#meter.restore(meter ?? []);
    if (books) this.#budget.books?.restore(books);
  }

  #promptTokens({ inputTokens, depth = 0 }: ModelRequestSignal): number {
    return inputTokens ?? this.#meter?.tokens(depth) ?? 0;
  }

  /** What a call has taken. A provider that reports 0/0 for a call that worked has reported nothing. */
  #costOf(signal: UsageSignal): Cost {
    const reported = plus(signal.inputTokens, signal.outputTokens);
    const isUnreported = reported === 0 && signal.error === undefined;
    const estimate = isUnreported ? (this.#meter?.tokens(signal.depth ?? 0) ?? 0) : 0;
    const tokens = reported || estimate;
    return {
      nanoUsd: toNanoUsd(signal.costUsd ?? 0),
      tokens,
      unpricedTokens: signal.costUsd === null ? tokens : 0,
      isEstimate: signal.isEstimate === true || estimate > 0,
    };
  }
}
