import { randomUUID } from 'node:crypto';
import type { PriceBook } from '@teamfuse/core';
import { estimateTokens } from '@teamfuse/core/detectors';
import {
  ANSWER_TOKENS,
  atOnce,
  internalsOf,
  ModelCall,
  type ModelRequestSignal,
  type Permit,
  type Pricing,
  type TokenCounter,
} from '@teamfuse/core/kit';
import type { GuardContext } from '../context/guard-context.ts';
import { lastAnswerIn } from '../context/last-answer.ts';

/** A text of a prompt. */
type PromptText = Parameters<TokenCounter['countMessages']>[0][number];

/** A call of a model, as an adapter describes it. */
export interface ModelCallInfo {
  readonly agent: string;
  readonly model: string;
  /** The texts of the prompt, to be counted. */
  readonly prompt?: readonly PromptText[];
  readonly maxOutputTokens?: number | undefined;
  /** The caller's signal. A call that it ends is cancelled, and has not failed. */
  readonly signal?: AbortSignal | undefined;
  /** Whether an error says that the caller has cancelled, where its signal is not known. @defaultValue its signal says so */
  readonly isCancelled?: (error: unknown) => boolean;
  /** Whether the model only chooses who speaks next, so that its calls belong to the turn they lead to. */
  readonly isSelection?: boolean;
  /** Whether it can be the last answer of a stopped run. @defaultValue unless it is for a selection */
  readonly canBeLast?: boolean;
  /** Prices that replace those of the guard. */
  readonly prices?: PriceBook | undefined;
  /** Whether the call only wraps up, and may use what the budget keeps back. */
  readonly isWrapUp?: boolean;
}

/**
 * Asks for a model call, for frameworks that tell of its end elsewhere.
 *
 * @throws {@link TrippedError} when the call is refused.
 */
export async function beginModel(context: GuardContext, info: ModelCallInfo): Promise<ModelCall> {
  const request = requestOf(context, info);
  const signal = context.abortSignal(info.signal);
  const permit = await context.ask(request, { signal, isSelection: info.isSelection });
  return askedCall(context, info, request, permit);
}

/** A model call that was made without asking. */
export function unaskedModel(context: GuardContext, info: ModelCallInfo): ModelCall {
  const request = requestOf(context, info);
  context.observe(request);
  return askedCall(context, info, request);
}

/** A call that was asked for. */
export function askedCall(
  context: GuardContext,
  info: ModelCallInfo,
  request: ModelRequestSignal,
  permit?: Permit,
): ModelCall {
  const { agent, model, prompt = [] } = info;
  const pricing = pricingOf(context, info);
  const { scope } = context;
  return new ModelCall({
    host: {
      // What was reserved is the conversation's in which it was asked for, wherever the call ends.
      observe: (usage) => context.within(scope, () => context.observe(usage)),
      reportError: (error) => context.report('observe', error),
      now: () => context.breaker.now(),
    },
    request,
    permit,
    keepsProbe: true,
    streamLimit: internalsOf(context.breaker).streamLimit,
    inputTokens: () => prompt.reduce((sum, { content }) => sum + estimateTokens(content), 0),
    countTokens: (text) => answerTokens(context, text),
    price: (usage) => pricing.cost(agent, model, usage),
    isCutOff: (error) => info.isCancelled?.(error) || context.isCutOff(error, info.signal),
  });
}

/** What is asked for a call. */
export function requestOf(context: GuardContext, info: ModelCallInfo): ModelRequestSignal {
  const { agent, model, isWrapUp = context.isWrapUp } = info;
  const request = {
    kind: 'model-request',
    ...context.originOf(agent),
    model,
    requestId: randomUUID(),
    ...(isWrapUp && { isWrapUp }),
  } as const;
  return context.attempt('observe', () => ({ ...request, ...sizeOf(context, info) })) ?? request;
}

/** How large a call may get, as far as that is known. */
function sizeOf(context: GuardContext, info: ModelCallInfo): Partial<ModelRequestSignal> {
  const { agent, model, prompt } = info;
  const last = lastAnswerIn(context)?.maxTokens ?? Number.POSITIVE_INFINITY;
  const own = info.maxOutputTokens ?? Number.POSITIVE_INFINITY;
  const maxOutputTokens = Number.isFinite(Math.min(own, last)) ? Math.min(own, last) : undefined;
  const pricing = pricingOf(context, info);
  const inputTokens = prompt && checkedCount(tokensOf(context.options.counter, prompt));
  const usdFor = (outputTokens: number): number | null =>
    pricing.cost(agent, model, { inputTokens: inputTokens ?? 0, outputTokens }).costUsd;
  const left = (pricing.contextWindow(model) ?? Number.MAX_SAFE_INTEGER) - (inputTokens ?? 0);
  const most = maxOutputTokens ?? Math.min(ANSWER_TOKENS, Math.max(0, left));
  const usd = usdFor(most);
  const { isLimited, answers } = internalsOf(context.breaker);
  const hasUsual = inputTokens !== undefined && maxOutputTokens === undefined && isLimited();
  const usual = hasUsual ? usdFor(Math.min(most, answers.usual(model))) : null;
  // A price without a prompt would be too low; that there is none is known all the same.
  const isEstimated = inputTokens !== undefined || usd === null;
  return {
    ...(inputTokens !== undefined && { inputTokens }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(isEstimated && { estimatedCostUsd: usd }),
    ...(usual !== null && { usualCostUsd: usual }),
  };
}

function pricingOf({ pricing }: GuardContext, { prices }: ModelCallInfo): Pricing {
  return prices === undefined ? pricing : pricing.with({ prices });
}

/** The tokens of a text, without what a counter adds for each message. */
function answerTokens(context: GuardContext, text: string): number {
  const { counter } = context.options;
  const countOf = (content: string): number => tokensOf(counter, [{ content }]);
  const counted = context.attempt('observe', () => checkedCount(countOf(text) - countOf('')));
  return counted ?? estimateTokens(text);
}

function tokensOf(counter: TokenCounter, prompt: readonly PromptText[]): number {
  return atOnce('counter.countMessages', counter.countMessages([...prompt]));
}

function checkedCount(count: number): number {
  if (Number.isSafeInteger(count) && count >= 0) return count;
  throw new RangeError(
    `counter.countMessages: expected a whole number of at least 0, received ${String(count)}`,
  );
}
