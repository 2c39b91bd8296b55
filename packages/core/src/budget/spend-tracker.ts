import type { AnalyzedSignal } from '../analysis/analyzed-signal.ts';
import type { Timers } from '../deadline.ts';
import type { Finding } from '../finding.ts';
import type { JsonValue } from '../json.ts';
import type { JudgeUsage } from '../judge/question.ts';
import type { MaybePromise } from '../maybe-promise.ts';
import type { ModelRequestSignal, UsageSignal } from '../signal/signal.ts';
import { recordAt } from '../state/codec.ts';
import type { Cost } from '../trip.ts';
import { plus, toNanoUsd } from './amount.ts';
import { Budget, type BudgetOptions } from './budget.ts';
import { ContextWindow, type ContextWindowOptions } from './context-window.ts';
import { HistoryMeter } from './history-meter.ts';
import { COST, NO_COST, SpendHistory, sum } from './spend-history.ts';

/** The agent to which a judge's cost is booked. */
const JUDGE = 'judge';

/** The spend of all conversations of a breaker. @internal */
export class SharedSpend {
  readonly budget: Budget;
  total: Cost = NO_COST;
  /** The judge's part of the total. */
  judgeCost: Cost = NO_COST;

  constructor(options: BudgetOptions | undefined, now?: () => number, timers?: Timers) {
    this.budget = new Budget(options, now, timers);
  }

  snapshot(): JsonValue {
    return {
      total: COST.write(this.total),
      judge: COST.write(this.judgeCost),
      memory: this.budget.memory?.snapshot() ?? null,
    };
  }

  /** @throws {@link InvalidSnapshotError} */
  restore(snapshot: unknown): void {
    const { total, judge, memory } = recordAt('spend', snapshot);
    const restoredTotal = COST.read('spend.total', total);
    const restoredJudge = COST.read('spend.judge', judge);
    if (memory) this.budget.memory?.restore(memory as JsonValue);
    this.total = restoredTotal;
    this.judgeCost = restoredJudge;
  }
}

/** Books what one conversation spends, and estimates how long its next prompt is. @internal */
export class SpendTracker {
  readonly history: SpendHistory = new SpendHistory();
  readonly #shared: SharedSpend;
  readonly #conversation: string;
  readonly #window: ContextWindow | undefined;
  /** Only if a limit depends on it: reading every text costs time. */
  readonly #meter: HistoryMeter | undefined;

  constructor(shared: SharedSpend, conversation: string, window: ContextWindowOptions | undefined) {
    this.#shared = shared;
    this.#conversation = conversation;
    this.#window = window && new ContextWindow(window);
    this.#meter = shared.budget.isLimited || this.#window ? new HistoryMeter() : undefined;
  }

  /** Adds the signal's text to the history, and settles the usage that it reports. */
  observe({ signal, index, tokens }: AnalyzedSignal): MaybePromise<Finding | undefined> {
    this.#meter?.observe(signal, tokens);
    if (signal.kind !== 'usage') return undefined;
    const cost = this.#costOf(signal);
    this.#record(index, cost);
    return this.#shared.budget.settle(signal, cost, this.#conversation);
  }

  /** A finding if the call exceeds the model's window. */
  checkWindow(signal: ModelRequestSignal): Finding | undefined {
    return this.#window?.request(signal, this.#promptTokens(signal));
  }

  /** Reserves the expected cost of a call; a finding if it exceeds the budget. */
  reserve(signal: ModelRequestSignal): MaybePromise<Finding | undefined> {
    return this.#shared.budget.request(signal, this.#promptTokens(signal), this.#conversation);
  }

  /** Releases the reservation of a call that is not made after all. */
  release(signal: ModelRequestSignal): MaybePromise<undefined> {
    return this.#shared.budget.release(signal, this.#conversation);
  }

  /** Books money that no signal reports. */
  track(nanoUsd: number, agent: string, index: number): MaybePromise<Finding | undefined> {
    this.#record(index, { nanoUsd, tokens: 0, unpricedTokens: 0, isEstimate: false });
    return this.#shared.budget.track({ nanoUsd, tokens: 0 }, agent);
  }

  /** Books the cost of a judge's answer. An unknown price counts in tokens only. */
  bookJudge(usage: JudgeUsage, index: number): MaybePromise<Finding | undefined> {
    const tokens = plus(usage.inputTokens, usage.outputTokens);
    const nanoUsd = toNanoUsd(usage.costUsd ?? 0);
    const unpricedTokens = usage.costUsd === null ? tokens : 0;
    const cost = { nanoUsd, tokens, unpricedTokens, isEstimate: false };
    this.#record(index, cost);
    this.#shared.judgeCost = sum(this.#shared.judgeCost, cost);
    return this.#shared.budget.track(cost, JUDGE);
  }

  /** Forgets the history, and keeps the totals. */
  forget(): void {
    this.#meter?.reset();
    this.history.forget();
  }

  snapshot(): JsonValue {
    return { history: this.history.snapshot(), meter: this.#meter?.snapshot() ?? null };
  }

  /** @throws {@link InvalidSnapshotError} */
  restore(snapshot: JsonValue): void {
    const { history, meter } = recordAt('spend', snapshot);
    this.history.restore(history as JsonValue);
    this.#meter?.restore((meter ?? []) as JsonValue);
  }

  #record(index: number, cost: Cost): void {
    this.history.record(index, cost);
    this.#shared.total = sum(this.#shared.total, cost);
  }

  #promptTokens({ inputTokens, depth = 0 }: ModelRequestSignal): number {
    return inputTokens ?? this.#meter?.tokens(depth) ?? 0;
  }

  /** A provider that reports 0 tokens for a successful call has reported nothing: they are estimated then. */
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
