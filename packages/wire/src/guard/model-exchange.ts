import { type Conversation, readUsage, type SignalInput } from '@teamfuse/core';
import { estimateTokens } from '@teamfuse/core/detectors';
import { type Permit, signalError } from '@teamfuse/core/kit';
import type { WireAnswer, WireRequest } from '../formats/format.ts';
import type { Joined } from '../identity/threads.ts';
import type { Item } from '../item.ts';

/** What the admission of a call brought. */
export interface Admitted {
  readonly requestId: string;
  readonly permit: Permit;
  readonly report: (signal: SignalInput) => void;
}

type UsageInput = Extract<SignalInput, { readonly kind: 'usage' }>;
type Spent = Omit<UsageInput, 'kind' | 'at' | 'agent' | 'model' | 'requestId'>;

/** A model call that was admitted, until its answer is whole, breaks off or fails. */
export class ModelExchange {
  /** The conversation that the call belongs to. */
  readonly conversation: Conversation;
  readonly #joined: Joined;
  readonly #request: WireRequest;
  readonly #admitted: Admitted;
  #isSettled = false;

  constructor(
    conversation: Conversation,
    joined: Joined,
    request: WireRequest,
    admitted: Admitted,
  ) {
    this.conversation = conversation;
    this.#joined = joined;
    this.#request = request;
    this.#admitted = admitted;
  }

  /** The model answered, as far as it came. */
  answered(answer: WireAnswer): void {
    const usage = readUsage(answer.usage);
    if (usage !== undefined && answer.isComplete) this.#settle(usage, answer);
    else this.#settle(this.#seen(usage, answer.items), answer.isComplete ? answer : undefined);
  }

  /** The answer broke off before anything of it could be read. */
  left(): void {
    this.#settle(this.#seen(undefined, []), undefined);
  }

  /** The model was not reached, or said that it cannot answer. */
  failed(error: unknown): void {
    const none = { inputTokens: 0, outputTokens: 0, costUsd: null };
    this.#settle({ ...none, error: signalError(error) }, undefined);
  }

  /** The prompt, and what has come of the answer. A usage that came before its end says too little. */
  #seen(usage: ReturnType<typeof readUsage>, items: readonly Item[]): Spent {
    const { inputTokens = promptTokens(this.#request), outputTokens = 0 } = usage ?? {};
    const most = Math.max(outputTokens, tokensOf(items));
    return { ...usage, inputTokens, outputTokens: most, isEstimate: true, isPartial: true };
  }

  #settle(spent: Spent, answer: WireAnswer | undefined): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    const { requestId, permit, report } = this.#admitted;
    const { agent } = this.#joined;
    report({ kind: 'usage', agent, model: this.#request.model, requestId, ...spent });
    this.#joined.ended(answer);
    permit.release();
  }
}

/** The estimated length of a prompt. */
export function promptTokens({ items }: WireRequest): number {
  return tokensOf(items);
}

function tokensOf(items: readonly Item[]): number {
  return items.reduce((sum, item) => sum + estimateTokens(textIn(item)), 0);
}

function textIn(item: Item): string {
  if (item.kind !== 'call') return item.text;
  return `${item.tool} ${typeof item.args === 'string' ? item.args : JSON.stringify(item.args)}`;
}
