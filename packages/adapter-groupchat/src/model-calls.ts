import {
  costInUsd,
  estimateTokens,
  type ModelRequestSignal,
  type PriceBook,
  type TokenCounter,
  type TokenUsage,
  type UsageSignal,
} from '@teamfuse/core';
import type { ChatEvent, ChatMessage, ModelPurpose } from '@teamfuse/groupchat';
import { type ModelView, viewOf } from './agent-view.ts';
import type { FailOpen } from './fail-open.ts';
import { promptText } from './message-text.ts';
import type { Origin } from './origin.ts';

/** A model call somebody asks leave for, or is about to make. */
export interface AskedCall {
  readonly agent: object;
  readonly purpose: ModelPurpose;
  readonly model: string;
  readonly messages: readonly ChatMessage[];
}

type Response = ChatEvent & { readonly kind: 'model-response' };

interface Metering {
  readonly prices: PriceBook | undefined;
  readonly counter: TokenCounter | undefined;
}

/** Gives every model call an id and a price: before it is made as far as can be foreseen, and after it. */
export class ModelCalls {
  readonly #prefix = globalThis.crypto.randomUUID();
  readonly #metering: Metering;
  readonly #failOpen: FailOpen;
  /** Calls that leave was asked for and that are not made yet, by agent and by the prompt they are made with. */
  readonly #announced = new WeakMap<object, Map<readonly ChatMessage[], ModelRequestSignal>>();
  /** Calls under way, by the agent that made them, oldest first. */
  readonly #underWay = new WeakMap<object, ModelRequestSignal[]>();
  #last = 0;

  constructor(metering: Metering, failOpen: FailOpen) {
    this.#metering = metering;
    this.#failOpen = failOpen;
  }

  /** The signal that asks leave for a call. */
  announce(call: AskedCall, origin: Origin): ModelRequestSignal {
    const { model, messages } = call;
    const modelView = viewOf(call.agent).client;
    const inputTokens = this.#count(messages);
    const maxOutputTokens = maxOutputOf(modelView);
    const usage = { inputTokens, outputTokens: maxOutputTokens ?? 0 };
    const estimatedCostUsd = this.#priceOf(modelView, model, usage);
    this.#last += 1;
    const signal: ModelRequestSignal = {
      kind: 'model-request',
      ...origin,
      model,
      requestId: `${this.#prefix}-${this.#last}`,
      inputTokens,
      ...(maxOutputTokens !== undefined && { maxOutputTokens }),
      ...(estimatedCostUsd !== null && { estimatedCostUsd }),
    };
    const announced = this.#announced.get(call.agent) ?? new Map();
    this.#announced.set(call.agent, announced.set(messages, signal));
    return signal;
  }

  /** Leave for a call was refused: it will not be made. */
  refused({ agent, messages }: AskedCall): void {
    this.#announced.get(agent)?.delete(messages);
  }

  /** The signals that let go of calls an agent had leave for and has not made, as somebody else refused them. */
  abandoned(agent: object, origin: Origin): UsageSignal[] {
    const announced = [...(this.#announced.get(agent)?.values() ?? [])];
    this.#announced.delete(agent);
    const error = { message: 'the call was not made' };
    return announced.map(({ model, requestId }) => ({
      kind: 'usage',
      ...origin,
      model,
      ...(requestId !== undefined && { requestId }),
      inputTokens: 0,
      outputTokens: 0,
      costUsd: null,
      error,
    }));
  }

  /** A call is made. Gives its signal back if nobody has asked leave for it. */
  started(call: AskedCall, origin: Origin): ModelRequestSignal | undefined {
    const known = this.#announced.get(call.agent)?.get(call.messages);
    const signal = known ?? this.announce(call, origin);
    this.#announced.get(call.agent)?.delete(call.messages);
    const underWay = this.#underWay.get(call.agent) ?? [];
    this.#underWay.set(call.agent, [...underWay, signal]);
    return known ? undefined : signal;
  }

  /** The signal that settles a call. */
  ended(response: Response, origin: Origin): UsageSignal {
    const { agent, model, usage, cached, cost, error } = response;
    const [request, ...rest] = this.#underWay.get(agent) ?? [];
    this.#underWay.set(agent, rest);
    const base = { kind: 'usage', ...origin, model, ...idOf(request) } as const;
    if (error !== null) {
      const failed = { message: error instanceof Error ? error.message : String(error) };
      return { ...base, inputTokens: 0, outputTokens: 0, costUsd: null, error: failed };
    }
    const reported = reportedUsage(usage);
    const taken = reported ?? estimate(request, response);
    const price = reported ? cost : null;
    return {
      ...base,
      inputTokens: taken.inputTokens,
      outputTokens: taken.outputTokens,
      costUsd: cached ? 0 : (price ?? this.#priceOf(viewOf(agent).client, model, taken)),
      ...(!reported && { isEstimate: true }),
    };
  }

  #count(messages: readonly ChatMessage[]): number {
    const texts = messages.map((message) => ({
      content: promptText(message),
      ...(message.name && { name: message.name }),
    }));
    const { counter } = this.#metering;
    const count = this.#failOpen.attempt('admit', () => counter?.countMessages(texts));
    if (count !== undefined) return count;
    return texts.reduce((sum, { content }) => sum + estimateTokens(content), 0);
  }

  /** US dollars, or `null` when nobody knows. */
  #priceOf(view: ModelView | null | undefined, model: string, usage: TokenUsage): number | null {
    const own = view?.model === model ? view.config?.price : undefined;
    if (own) return (own[0] * usage.inputTokens + own[1] * usage.outputTokens) / 1000;
    const { prices } = this.#metering;
    return this.#failOpen.attempt('admit', () => costInUsd(prices, model, usage)) ?? null;
  }
}

function idOf(request: ModelRequestSignal | undefined): { requestId?: string } {
  return request?.requestId === undefined ? {} : { requestId: request.requestId };
}

/** What the provider reported; `undefined` when it was nothing, or no numbers of tokens. */
function reportedUsage(usage: Response['usage']): TokenUsage | undefined {
  const { promptTokens = 0, completionTokens = 0, cachedPromptTokens = 0 } = usage ?? {};
  const counts = [promptTokens, completionTokens, cachedPromptTokens];
  if (!counts.every((count) => Number.isSafeInteger(count) && count >= 0)) return undefined;
  if (promptTokens + completionTokens === 0) return undefined;
  return {
    inputTokens: promptTokens,
    outputTokens: completionTokens,
    ...(cachedPromptTokens > 0 && { cachedInputTokens: cachedPromptTokens }),
  };
}

/** What a call has taken when its provider does not say: the prompt as it was sent, and the answer. */
function estimate(request: ModelRequestSignal | undefined, { reply }: Response): TokenUsage {
  const said = typeof reply === 'string' ? reply : reply ? promptText(reply) : '';
  return { inputTokens: request?.inputTokens ?? 0, outputTokens: estimateTokens(said) };
}

function maxOutputOf(view: ModelView | null | undefined): number | undefined {
  const { max_completion_tokens: newer, max_tokens: older } = view?.config?.extraCreateArgs ?? {};
  const most = newer ?? older;
  return Number.isSafeInteger(most) && (most as number) >= 0 ? (most as number) : undefined;
}
