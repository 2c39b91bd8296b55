import { randomUUID } from 'node:crypto';
import {
  costInUsd,
  estimateTokens,
  type ModelRequestSignal,
  type PriceBook,
  type TokenUsage,
  type UsageSignal,
} from '@teamfuse/core';
import type { GuardContext } from '../context/guard-context.ts';
import { signalError } from '../signals/signal-error.ts';
import { modelOf } from './model-of.ts';
import { readUsage } from './read-usage.ts';

/** A call of a model, as an adapter describes it. */
export interface ModelCallInfo {
  readonly agent: string;
  readonly model: string;
  /** The texts of the prompt, to be counted. */
  readonly prompt?: readonly { readonly content: string; readonly name?: string }[];
  readonly maxOutputTokens?: number | undefined;
  /** The caller's signal. A call that it ends is cancelled, and has not failed. */
  readonly signal?: AbortSignal | undefined;
  /** Whether the model only chooses who speaks next, so that its calls belong to the turn they lead to. */
  readonly isSelection?: boolean;
  /** Prices in place of those of the guard's options. */
  readonly prices?: PriceBook | undefined;
  /** Whether the call only wraps up, and may use what the budget keeps back. */
  readonly isWrapUp?: boolean;
}

/** What is known of an answer besides its tokens. */
export interface AnswerInfo {
  readonly cached?: boolean;
  /** Whether the tokens are an estimate. */
  readonly isEstimate?: boolean;
  /** The cost, if the framework reports one. */
  readonly costUsd?: number | null;
}

type Spent = Pick<UsageSignal, 'inputTokens' | 'outputTokens' | 'costUsd' | 'isEstimate' | 'error'>;

const NO_TOKENS: TokenUsage = { inputTokens: 0, outputTokens: 0 };
/** The length of an answer for which the call sets no limit: that of a long one. */
const ANSWER_TOKENS = 1024;

/** One model call, from its admission to its usage. */
export class ModelCall {
  readonly #context: GuardContext;
  readonly #info: ModelCallInfo;
  readonly #requestId: string = randomUUID();
  #inputTokens: number | undefined;
  #isAsked = true;
  #isSettled = false;

  private constructor(context: GuardContext, info: ModelCallInfo) {
    this.#context = context;
    this.#info = info;
  }

  /** @throws {@link TrippedError} when the call is refused. */
  static async begin(context: GuardContext, info: ModelCallInfo): Promise<ModelCall> {
    const call = new ModelCall(context, info);
    const request = call.#request();
    call.#inputTokens = request.inputTokens;
    const signal = context.abortSignal(info.signal);
    await (info.isSelection
      ? context.admitSelection(request, signal)
      : context.admit(request, signal));
    return call;
  }

  /** A call that was made without asking. */
  static unasked(context: GuardContext, info: ModelCallInfo): ModelCall {
    const call = new ModelCall(context, info);
    const request = call.#request();
    call.#inputTokens = request.inputTokens;
    call.#isAsked = false;
    context.observe(request);
    return call;
  }

  /** The estimated length of the prompt; 0 if nothing counts it. */
  get inputTokens(): number {
    return this.#inputTokens ?? 0;
  }

  /**
   * Reports an answer. Usage that is missing, 0/0 or no whole numbers counts as none: the breaker books what it has reserved
   * for the call then.
   */
  answered(
    usage: TokenUsage | null | undefined,
    { cached = false, isEstimate = false, costUsd }: AnswerInfo = {},
  ): void {
    const reported = readUsage(usage);
    if (reported === undefined && (cached || !this.#isAsked)) {
      this.#settle(() => this.#promptOnly(cached));
      return;
    }
    this.#settle(() => {
      if (reported === undefined) return spent(NO_TOKENS, null);
      const cost = isMoney(costUsd) ? costUsd : this.#costOf(reported);
      return { ...spent(reported, cached ? 0 : cost), ...(isEstimate && { isEstimate }) };
    });
  }

  /** Reports an error; the usage is unknown. A call that was cut off has not failed: it is reported as one that broke off. */
  failed(error: unknown): void {
    if (this.#context.isCutOff(error, this.#info.signal)) {
      this.left();
      return;
    }
    this.#settle(() => ({ ...spent(NO_TOKENS, null), error: signalError(error) }));
  }

  /** Reports that the call was not made after all. */
  dropped(): void {
    const error = { message: 'the call was not made', code: 'TRIPPED' };
    this.#settle(() => ({ ...spent(NO_TOKENS, 0), error }));
  }

  /** Reports an answer that broke off: at least the prompt was read. Does nothing after an answer. */
  left(): void {
    this.#settle(() => this.#promptOnly(false));
  }

  #promptOnly(cached: boolean): Spent {
    const inputTokens = this.#inputTokens ?? this.#estimatedTokens();
    const usage = { ...NO_TOKENS, inputTokens };
    const cost = inputTokens > 0 ? this.#costOf(usage) : null;
    return { ...spent(usage, cached ? 0 : cost), isEstimate: true };
  }

  #request(): ModelRequestSignal {
    const { agent, model, isWrapUp = this.#context.isWrapUp } = this.#info;
    const bare = {
      kind: 'model-request',
      ...this.#context.originOf(agent),
      model,
      requestId: this.#requestId,
      ...(isWrapUp && { isWrapUp }),
    } as const;
    return this.#context.attempt('observe', () => ({ ...bare, ...this.#estimate() })) ?? bare;
  }

  #estimate(): Partial<ModelRequestSignal> {
    const { prompt, maxOutputTokens } = this.#info;
    const { counter } = this.#context.options;
    const inputTokens = prompt && checkedCount(counter.countMessages([...prompt]));
    const outputTokens = maxOutputTokens ?? this.#answerTokens(inputTokens ?? 0);
    const usd = this.#costOf({ inputTokens: inputTokens ?? 0, outputTokens });
    // A price without a prompt would be too low; that there is none is known all the same.
    const isEstimated = inputTokens !== undefined || usd === null;
    return {
      ...(inputTokens !== undefined && { inputTokens }),
      ...(maxOutputTokens !== undefined && { maxOutputTokens }),
      ...(isEstimated && { estimatedCostUsd: usd }),
    };
  }

  /** How long an answer without a limit may get: no longer than the model's window lets it. */
  #answerTokens(inputTokens: number): number {
    const { prices, model } = this.#info;
    const window = (prices ?? this.#context.options.prices).contextWindow?.(model);
    return Math.min(ANSWER_TOKENS, Math.max(0, (window ?? Number.MAX_SAFE_INTEGER) - inputTokens));
  }

  #estimatedTokens(): number {
    const { prompt = [] } = this.#info;
    return prompt.reduce((sum, { content }) => sum + estimateTokens(content), 0);
  }

  #costOf(usage: TokenUsage): number | null {
    const { agent, model } = this.#info;
    const known = costInUsd(this.#prices, model, usage);
    if (known !== null) return known;
    const declared = modelOf(this.#context.options.models, agent);
    return declared === undefined ? null : costInUsd(this.#prices, declared, usage);
  }

  get #prices(): PriceBook | undefined {
    return this.#info.prices ?? this.#context.options.prices;
  }

  #settle(take: () => Spent): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    const context = this.#context;
    const { agent, model } = this.#info;
    const call = { model, requestId: this.#requestId };
    context.attempt('observe', () =>
      context.observe({ kind: 'usage', ...context.originOf(agent), ...call, ...take() }),
    );
  }
}

function spent({ inputTokens, outputTokens }: TokenUsage, costUsd: number | null): Spent {
  return { inputTokens, outputTokens, costUsd };
}

function isMoney(usd: number | null | undefined): usd is number {
  return Number.isFinite(usd) && (usd as number) >= 0;
}

function checkedCount(count: number): number {
  if (Number.isSafeInteger(count) && count >= 0) return count;
  throw new RangeError(
    `counter.countMessages: expected a whole number of at least 0, received ${String(count)}`,
  );
}
