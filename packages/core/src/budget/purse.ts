import { InvalidSnapshotError } from '../errors.ts';
import type { Finding } from '../finding.ts';
import type { JsonValue, MaybePromise } from '../json.ts';
import type { ModelRequestSignal, Signal, UsageSignal } from '../signal.ts';
import { SpendHistory } from '../spend-history.ts';
import type { Cost } from '../trip.ts';
import { toNanoUsd } from './amount.ts';
import { Budget, type BudgetOptions } from './budget.ts';
import { ContextWindow, type ContextWindowOptions } from './context-window.ts';
import { HistoryMeter } from './history-meter.ts';
import { MemoryBudgetStore } from './memory-budget-store.ts';

interface PurseOptions {
  readonly budget?: BudgetOptions;
  readonly contextWindow?: ContextWindowOptions;
}

/** All about spend: the budget, the model's window, and what was spent when. @internal */
export class Purse {
  readonly history: SpendHistory = new SpendHistory();
  readonly #budget: Budget;
  readonly #window: ContextWindow | undefined;
  /** Only where something depends on it: reading every text costs time. */
  readonly #meter: HistoryMeter | undefined;

  constructor({ budget, contextWindow }: PurseOptions) {
    this.#budget = new Budget(budget);
    this.#window = contextWindow && new ContextWindow(contextWindow);
    this.#meter = this.#budget.isLimited || this.#window ? new HistoryMeter() : undefined;
  }

  /** Takes in what was said and spent. */
  observe(signal: Signal, index: number): MaybePromise<Finding | undefined> {
    this.#meter?.observe(signal);
    if (signal.kind !== 'usage') return undefined;
    const cost = this.#costOf(signal);
    this.history.record(index, cost);
    return this.#budget.settle(signal, cost);
  }

  /** Says whether a call fits the window and the budget, and reserves what it needs. */
  request(signal: ModelRequestSignal): MaybePromise<Finding | undefined> {
    const inputTokens = signal.inputTokens ?? this.#meter?.tokens(signal.depth ?? 0) ?? 0;
    return this.#window?.request(signal, inputTokens) ?? this.#budget.request(signal, inputTokens);
  }

  /** Books money spent outside any signal. */
  track(nanoUsd: number, agent: string, index: number): MaybePromise<Finding | undefined> {
    this.history.record(index, { nanoUsd, tokens: 0, unpricedTokens: 0, isEstimate: false });
    return this.#budget.track(nanoUsd, agent);
  }

  /** Forgets what was said, not what was spent. */
  forget(): void {
    this.#meter?.reset();
    this.history.forget();
  }

  snapshot(): JsonValue {
    const { store } = this.#budget;
    return {
      history: this.history.snapshot(),
      meter: this.#meter?.snapshot() ?? null,
      books: store instanceof MemoryBudgetStore ? store.snapshot() : null,
    };
  }

  restore(snapshot: JsonValue): void {
    const { history, meter, books } = Object(snapshot);
    if (history === undefined) throw new InvalidSnapshotError('purse', 'what was spent', snapshot);
    this.history.restore(history);
    if (this.#meter) this.#meter.restore(meter ?? []);
    const { store } = this.#budget;
    if (store instanceof MemoryBudgetStore && books) store.restore(books);
  }

  /** What a call has taken. A provider that reports 0/0 for a call that worked has reported nothing. */
  #costOf(signal: UsageSignal): Cost {
    const reported = signal.inputTokens + signal.outputTokens;
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
