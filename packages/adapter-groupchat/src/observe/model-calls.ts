import { ModelCall, type ModelCallInfo } from '@teamfuse/adapter-kit';
import type { PriceBook, TokenUsage } from '@teamfuse/core';
import type { Attempt, ChatEvent, ChatMessage } from '@teamfuse/groupchat';
import { type ModelView, nameOf, viewOf } from '../context/agent-view.ts';
import type { ChatContext } from '../context/chat-context.ts';
import { promptText } from './message-text.ts';

/** A model call, in an attempt or an event. */
interface DescribedCall {
  readonly agent: object;
  readonly model: string;
  readonly messages: readonly ChatMessage[];
}

type Response = ChatEvent & { readonly kind: 'model-response' };

/** Follows every model call from its admission to its usage. */
export class ModelCalls {
  readonly #context: ChatContext;
  readonly #admitted: WeakMap<object, ModelCall> = new WeakMap();
  /** Calls under way for which no permission was asked, by agent, the oldest first. */
  readonly #unasked: WeakMap<object, readonly ModelCall[]> = new WeakMap();

  constructor(context: ChatContext) {
    this.#context = context;
  }

  /** @throws {@link TrippedError} when the call is refused. */
  async admit(attempt: Attempt & { readonly kind: 'model-request' }): Promise<void> {
    const { place } = this.#context;
    const call = await ModelCall.begin(this.#context, this.#infoOf(attempt));
    this.#admitted.set(attempt, call);
    place.expect(call);
  }

  /** The call of an admitted attempt. */
  admitted(attempt: object): ModelCall | undefined {
    return this.#admitted.get(attempt);
  }

  /** A call is made. One for which no permission was asked is reported now. */
  started(event: DescribedCall): void {
    if (this.#context.place.parts.call !== undefined) return;
    const call = ModelCall.unasked(this.#context, this.#infoOf(event));
    this.#unasked.set(event.agent, [...(this.#unasked.get(event.agent) ?? []), call]);
  }

  /** A call has an answer, or has failed. */
  ended(response: Response): void {
    const call = this.#context.place.parts.call ?? this.#takeUnasked(response.agent);
    if (call === undefined) return;
    const { error, usage, cached, cost: costUsd } = response;
    if (error !== null) call.failed(error);
    else call.answered(tokenUsage(usage), { cached, costUsd });
  }

  #takeUnasked(agent: object): ModelCall | undefined {
    const [call, ...others] = this.#unasked.get(agent) ?? [];
    this.#unasked.set(agent, others);
    return call;
  }

  #infoOf({ agent, model, messages }: DescribedCall): ModelCallInfo {
    const { client } = viewOf(agent);
    return {
      agent: nameOf(agent),
      model,
      prompt: messages.map((message) => ({
        content: promptText(message),
        ...(message.name && { name: message.name }),
      })),
      maxOutputTokens: outputLimit(client),
      prices: this.#pricesOf(client, model),
    };
  }

  /** The price in the agent's own configuration comes first. */
  #pricesOf(view: ModelView | null | undefined, model: string): PriceBook | undefined {
    const own = view?.model === model ? view.config?.price : undefined;
    if (own === undefined) return undefined;
    const [promptUsd, completionUsd] = own;
    return {
      price: (_, { inputTokens, outputTokens }) => ({
        nanoUsd: Math.ceil((promptUsd * inputTokens + completionUsd * outputTokens) * 1e6),
      }),
    };
  }
}

/** The usage that a provider reported, in the words of price books. */
function tokenUsage(usage: Response['usage']): TokenUsage | undefined {
  if (usage === null || usage === undefined) return undefined;
  const { promptTokens, completionTokens, cachedPromptTokens } = usage;
  return {
    inputTokens: promptTokens,
    outputTokens: completionTokens,
    ...(cachedPromptTokens !== undefined && { cachedInputTokens: cachedPromptTokens }),
  };
}

function outputLimit(view: ModelView | null | undefined): number | undefined {
  const { max_completion_tokens: newer, max_tokens: older } = view?.config?.extraCreateArgs ?? {};
  const limit = newer ?? older;
  return Number.isSafeInteger(limit) && (limit as number) >= 0 ? (limit as number) : undefined;
}
