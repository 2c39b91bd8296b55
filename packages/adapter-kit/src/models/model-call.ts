import { randomUUID } from 'node:crypto';
import { type PriceBook, readUsage } from '@teamfuse/core';
import { estimateTokens } from '@teamfuse/core/detectors';
import {
  atOnce,
  type ModelRequestSignal,
  type Pricing,
  StreamedTokens,
  signalError,
  type TokenCounter,
  type TokenUsage,
  type UsageSignal,
  unmadeUsage,
} from '@teamfuse/core/kit';
import type { GuardContext } from '../context/guard-context.ts';

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
  /** Prices that replace those of the guard. */
  readonly prices?: PriceBook | undefined;
  /** Whether the call only wraps up, and may use what the budget keeps back. */
  readonly isWrapUp?: boolean;
}

/** What is known of an answer apart from its tokens. */
export interface AnswerInfo {
  readonly cached?: boolean;
  /** Whether the tokens are an estimate. */
  readonly isEstimate?: boolean;
  /** The cost, if the framework reports one. */
  readonly costUsd?: number | null;
}

type Spent = Omit<UsageSignal, 'kind' | 'at' | 'agent' | 'model'>;

const NO_TOKENS: TokenUsage = { inputTokens: 0, outputTokens: 0 };
/** The length of an answer for which the call sets no limit: that of a long one. */
const ANSWER_TOKENS = 1024;

/** One model call, from its admission to its usage. */
export class ModelCall {
  readonly #context: GuardContext;
  readonly #info: ModelCallInfo;
  readonly #pricing: Pricing;
  readonly #request: ModelRequestSignal;
  readonly #streamed: StreamedTokens;
  #isSettled = false;

  private constructor(context: GuardContext, info: ModelCallInfo) {
    const { pricing } = context;
    const { prices } = info;
    this.#context = context;
    this.#info = info;
    this.#pricing = prices === undefined ? pricing : pricing.with({ prices });
    this.#streamed = new StreamedTokens((text) => this.#count(text));
    this.#request = this.#asRequest();
  }

  /** @throws {@link TrippedError} when the call is refused. */
  static async begin(context: GuardContext, info: ModelCallInfo): Promise<ModelCall> {
    const call = new ModelCall(context, info);
    const signal = context.abortSignal(info.signal);
    await context.ask(call.#request, { signal, isSelection: info.isSelection });
    return call;
  }

  /** A call that was made without asking. */
  static unasked(context: GuardContext, info: ModelCallInfo): ModelCall {
    const call = new ModelCall(context, info);
    context.observe(call.#request);
    return call;
  }

  /** The estimated length of the prompt; 0 if nothing counts it. */
  get inputTokens(): number {
    return this.#request.inputTokens ?? 0;
  }

  /** Notes a piece of the answer, which counts if the call ends without usage. */
  streamed(text: string): void {
    this.#streamed.add(text);
  }

  /**
   * Reports an answer, with its usage as OpenAI, Anthropic or the AI SDK report it. Usage that is missing, 0/0 or no whole
   * numbers counts as none: the breaker books what came of the answer then, or what it has reserved for the call if that is more.
   */
  answered(
    usage: object | null | undefined,
    { cached = false, isEstimate = false, costUsd }: AnswerInfo = {},
  ): void {
    const reported = readUsage(usage);
    this.#report(() => {
      if (reported === undefined) return this.#seen(cached);
      const cost = isMoney(costUsd) ? costUsd : this.#costOf(reported);
      return { ...spent(reported, cached ? 0 : cost), ...(isEstimate && { isEstimate }) };
    });
  }

  /** Reports a later usage of the same answer. The breaker books what is new in it. */
  corrected(usage: object): void {
    this.#isSettled = false;
    this.answered(usage);
  }

  /** Reports an error. A call that was cut off has not failed: it is reported as one that broke off. */
  failed(error: unknown): void {
    if (this.#context.isCutOff(error, this.#info.signal)) {
      this.left();
      return;
    }
    const failure = { error: signalError(error) };
    this.#report(() => {
      const isCutOff = this.#streamed.tokens > 0;
      return { ...(isCutOff ? this.#seen() : spent(NO_TOKENS, null)), ...failure };
    });
  }

  /** Reports that the call was not made after all. */
  dropped(): void {
    this.#settle(() => unmadeUsage(this.#request, this.#context.breaker.now()));
  }

  /** Reports an answer that broke off. Does nothing after an answer. */
  left(): void {
    this.#report(() => this.#seen());
  }

  /** The prompt, and what has come of the answer. */
  #seen(cached = false): Spent {
    const inputTokens = this.#request.inputTokens ?? this.#estimatedTokens();
    const usage = { inputTokens, outputTokens: this.#streamed.tokens };
    const isAnything = inputTokens > 0 || usage.outputTokens > 0;
    const cost = isAnything ? this.#costOf(usage) : null;
    const estimate = { ...spent(usage, cached ? 0 : cost), isEstimate: true };
    return cached ? estimate : { ...estimate, isPartial: true };
  }

  #asRequest(): ModelRequestSignal {
    const { agent, model, isWrapUp = this.#context.isWrapUp } = this.#info;
    const bare = {
      kind: 'model-request',
      ...this.#context.originOf(agent),
      model,
      requestId: randomUUID(),
      ...(isWrapUp && { isWrapUp }),
    } as const;
    return this.#context.attempt('observe', () => ({ ...bare, ...this.#estimate() })) ?? bare;
  }

  #estimate(): Partial<ModelRequestSignal> {
    const { prompt, maxOutputTokens } = this.#info;
    const { counter } = this.#context.options;
    const inputTokens = prompt && checkedCount(tokensOf(counter, prompt));
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
    const window = this.#pricing.contextWindow(this.#info.model);
    return Math.min(ANSWER_TOKENS, Math.max(0, (window ?? Number.MAX_SAFE_INTEGER) - inputTokens));
  }

  /** The tokens of a text, without what a counter adds for each message. */
  #count(text: string): number {
    const { counter } = this.#context.options;
    const countOf = (content: string): number => tokensOf(counter, [{ content }]);
    const counted = this.#context.attempt('observe', () =>
      checkedCount(countOf(text) - countOf('')),
    );
    return counted ?? estimateTokens(text);
  }

  #estimatedTokens(): number {
    const { prompt = [] } = this.#info;
    return prompt.reduce((sum, { content }) => sum + estimateTokens(content), 0);
  }

  #costOf(usage: TokenUsage): number | null {
    const { agent, model } = this.#info;
    return this.#pricing.usd(agent, model, usage);
  }

  #report(take: () => Spent): void {
    const { agent, model } = this.#info;
    const { requestId } = this.#request;
    this.#settle(() => {
      const call = { ...this.#context.originOf(agent), model, ...(requestId && { requestId }) };
      return { kind: 'usage', ...call, ...take() };
    });
  }

  #settle(take: () => UsageSignal): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    this.#context.attempt('observe', () => this.#context.observe(take()));
  }
}

function spent({ inputTokens, outputTokens }: TokenUsage, costUsd: number | null): Spent {
  return { inputTokens, outputTokens, costUsd };
}

function isMoney(usd: number | null | undefined): usd is number {
  return Number.isFinite(usd) && (usd as number) >= 0;
}

function tokensOf(
  counter: TokenCounter,
  prompt: Parameters<TokenCounter['countMessages']>[0],
): number {
  return atOnce('counter.countMessages', counter.countMessages([...prompt]));
}

function checkedCount(count: number): number {
  if (Number.isSafeInteger(count) && count >= 0) return count;
  throw new RangeError(
    `counter.countMessages: expected a whole number of at least 0, received ${String(count)}`,
  );
}
