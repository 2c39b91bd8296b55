import type { JsonValue } from '../../common/json.ts';
import type { AnalyzedSignal } from '../../detection/analyzed-signal.ts';
import type { ModelRequestSignal } from '../../signal/signal.ts';
import { plus, times, toNanoUsd } from '../amount.ts';
import type { Budget } from '../budget.ts';
import { type AnswerTokens, CachedPrompts, HistoryMeter } from '../estimates.ts';
import type { TokenUsage } from '../metering.ts';
import type { PricedUsage, Pricing } from '../pricing.ts';
import type { RequestedCall } from './reservations.ts';

/** What a call is expected to take. */
type CallSize = Pick<
  RequestedCall,
  'amount' | 'discount' | 'usualNanoUsd' | 'isPriced' | 'isCounted' | 'isUnpriced'
>;

/** The collaborators of {@link CallSizes}. */
interface CallSizesParts {
  readonly budget: Budget;
  readonly pricing: Pricing;
  readonly answers: AnswerTokens;
  /** Whether the length of prompts matters apart from the budget. */
  readonly isMeasured: boolean;
}

/** Estimates the calls of one conversation before they are made. */
export class CallSizes {
  readonly #parts: CallSizesParts;
  /** Only if a limit depends on it, because it reads every text. */
  readonly #meter: HistoryMeter | undefined;
  /** What the latest answers say of the cache. */
  readonly #cached: CachedPrompts = new CachedPrompts();

  constructor(parts: CallSizesParts) {
    this.#parts = parts;
    this.#meter = parts.budget.isLimited || parts.isMeasured ? new HistoryMeter() : undefined;
  }

  /** Adds the text of a signal to the history, and learns from a usage. */
  observe({ signal, tokens }: AnalyzedSignal): void {
    this.#meter?.observe(signal, tokens);
    if (signal.kind !== 'usage') return;
    this.#cached.observe(signal);
    this.#parts.answers.learn(signal);
  }

  of(request: ModelRequestSignal): CallSize {
    const { agent, model, inputTokens, maxOutputTokens, answers = 1 } = request;
    const prompt = this.#promptOf(request);
    const lengths = this.#parts.answers;
    const usd = this.#priceOf(request, prompt, lengths.longest(model));
    // Without an estimate, the smallest possible call still has to fit.
    const nanoUsd = toNanoUsd(usd ?? 0) || 1;
    const usual = (): number | null =>
      request.usualCostUsd ?? this.#priceOf(request, prompt, lengths.usual(model));
    const discount = this.discountOf(agent, model, prompt);
    const tokens = plus(prompt.inputTokens, times(maxOutputTokens ?? 0, answers)) - discount;
    return {
      amount: { nanoUsd, tokens: tokens || 1 },
      discount,
      usualNanoUsd: () => toNanoUsd(usual() ?? 0) || nanoUsd,
      isPriced: typeof usd === 'number',
      isCounted: inputTokens !== undefined || maxOutputTokens !== undefined,
      isUnpriced: request.estimatedCostUsd === null,
    };
  }

  /** How many tokens of a call do not count against limits. */
  discountOf(agent: string, model: string, usage: PricedUsage): number {
    const { budget, pricing } = this.#parts;
    return budget.discountsCacheReads ? pricing.cacheDiscount(agent, model, usage) : 0;
  }

  /** The length of a prompt, or of what was said so far. */
  promptTokens({ inputTokens, depth = 0 }: ModelRequestSignal): number {
    return inputTokens ?? this.historyTokens(depth);
  }

  /** What was said so far at a depth of nesting; 0 if no limit depends on it. */
  historyTokens(depth: number): number {
    return this.#meter?.tokens(depth) ?? 0;
  }

  forget(): void {
    this.#meter?.reset();
    this.#cached.forget();
  }

  snapshot(): JsonValue {
    return this.#meter?.snapshot() ?? null;
  }

  /** @throws {@link InvalidSnapshotError} */
  restore(snapshot: JsonValue): void {
    this.#meter?.restore(snapshot);
  }

  #promptOf(request: ModelRequestSignal): TokenUsage {
    const inputTokens = this.promptTokens(request);
    const cachedInputTokens = Math.min(inputTokens, this.#cached.tokensFor(request));
    return { inputTokens, outputTokens: 0, cachedInputTokens };
  }

  /** The estimate of the request, or the price of its prompt and of its longest answer, without a limit of so many tokens. */
  #priceOf(request: ModelRequestSignal, prompt: TokenUsage, answerTokens: number): number | null {
    const { agent, model, maxOutputTokens, answers = 1, estimatedCostUsd } = request;
    const { budget, pricing } = this.#parts;
    if (estimatedCostUsd !== undefined) return estimatedCostUsd;
    if (!budget.limitsMoney) return null;
    const outputTokens = times(maxOutputTokens ?? answerTokens, answers);
    return pricing.usd(agent, model, { ...prompt, outputTokens });
  }
}
