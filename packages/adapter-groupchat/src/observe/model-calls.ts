import {
  beginModel,
  type LastAnswer,
  lastAnswerIn,
  type ModelCall,
  type ModelCallInfo,
  NUDGE_AUTHOR,
  outputLimit,
  placeOfLastAnswer,
  unaskedModel,
} from '@teamfuse/adapter-kit';
import type { PriceBook } from '@teamfuse/core';
import type { ChatEvent, ChatMessage, Step, StepWork } from '@teamfuse/groupchat';
import { type ModelView, nameOf, viewOf } from '../context/agent-view.ts';
import type { ChatContext } from '../context/chat-context.ts';
import { promptText } from './message-text.ts';
import { ownPrices } from './own-prices.ts';
import type { PromptNudges } from './prompt-nudges.ts';

/** A model call, in a step or an event. */
interface DescribedCall {
  readonly agent: object;
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly signal?: AbortSignal;
}

type ModelStep = Step & { readonly kind: 'model-request' };
type ModelWork<T> = (
  call: ModelCall,
  signal: AbortSignal | undefined,
  toolless: Parameters<StepWork<T>>[1],
) => Promise<T>;

type Response = ChatEvent & { readonly kind: 'model-response' };

/** Follows every model call from its admission to its usage. */
export class ModelCalls {
  readonly #context: ChatContext;
  readonly #nudges: PromptNudges;
  /** Calls that have reached their model. */
  readonly #made: WeakSet<ModelCall> = new WeakSet();
  /** Calls under way for which no permission was asked, by agent, the oldest first. */
  readonly #unasked: WeakMap<object, readonly ModelCall[]> = new WeakMap();

  constructor(context: ChatContext, nudges: PromptNudges) {
    this.#context = context;
    this.#nudges = nudges;
  }

  /** @throws {@link TrippedError} when the call is refused, or stopped while it waits. */
  async make<T>(step: ModelStep, work: ModelWork<T>): Promise<T> {
    const context = this.#context;
    let call: ModelCall;
    try {
      call = await beginModel(context, this.#infoOf(step));
    } catch (error) {
      const mayBeLast = step.purpose === 'reply' && step.hiddenFor === null;
      const place = mayBeLast ? placeOfLastAnswer(context, error) : undefined;
      if (place === undefined) throw error;
      return context.within(place.scope, async () => {
        const last = await beginModel(context, this.#infoOf(step));
        place.granted();
        return this.#done(last, step, work);
      });
    }
    return this.#done(call, step, work);
  }

  async #done<T>(call: ModelCall, step: ModelStep, work: ModelWork<T>): Promise<T> {
    const context = this.#context;
    this.#nudges.sent(step.messages);
    try {
      const toolless = toollessCall(step, lastAnswerIn(context));
      return await context.untilStopped(work(call, context.abortSignal(), toolless));
    } catch (error) {
      // Others may have refused it.
      if (this.#made.has(call)) call.failed(error);
      else call.unmade();
      throw error;
    }
  }

  /** A call is made. One for which no permission was asked is reported now. */
  started(event: DescribedCall): void {
    const admitted = this.#context.place.call;
    if (admitted !== undefined) {
      this.#made.add(admitted);
      return;
    }
    const call = unaskedModel(this.#context, this.#infoOf(event));
    this.#unasked.set(event.agent, [...(this.#unasked.get(event.agent) ?? []), call]);
  }

  /** A call has an answer, or has failed. */
  ended(response: Response): void {
    const call = this.#context.place.call ?? this.#takeUnasked(response.agent);
    if (call === undefined) return;
    const { error, usage, cached, cost: costUsd, reply } = response;
    if (error !== null) call.failed(error);
    else call.answered(usage, { cached, costUsd, text: replyText(reply) });
  }

  #takeUnasked(agent: object): ModelCall | undefined {
    const [call, ...others] = this.#unasked.get(agent) ?? [];
    this.#unasked.set(agent, others);
    return call;
  }

  #infoOf({ agent, model, messages, signal }: DescribedCall): ModelCallInfo {
    const { client } = viewOf(agent);
    return {
      agent: nameOf(agent),
      model,
      prompt: messages.map((message) => ({
        content: promptText(message),
        ...(message.name && { name: message.name }),
      })),
      maxOutputTokens: outputLimit(client?.config?.extraCreateArgs),
      prices: this.#pricesOf(client, model),
      signal,
    };
  }

  /** The price in the agent's own configuration comes first. */
  #pricesOf(view: ModelView | null | undefined, model: string): PriceBook | undefined {
    return view?.model === model ? ownPrices(view) : undefined;
  }
}

function replyText(reply: Response['reply']): string {
  return typeof reply === 'string' ? reply : reply === null ? '' : promptText(reply);
}

/** The last answer of a stopped run is made without tools, and told why. */
function toollessCall({ messages }: ModelStep, last: LastAnswer | undefined) {
  if (last === undefined) return undefined;
  const { maxTokens, text } = last;
  const note = { role: 'user', name: NUDGE_AUTHOR, content: text ?? '' } as const;
  return { maxTokens, messages: text === undefined ? messages : [...messages, note] };
}
