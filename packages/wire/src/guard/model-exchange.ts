import { type Conversation, readUsage, type SignalInput } from '@teamfuse/core';
import { estimateTokens } from '@teamfuse/core/detectors';
import { type Permit, signalError } from '@teamfuse/core/kit';
import type { WireAnswer, WireRequest } from '../formats/format.ts';
import type { Joined } from '../identity/threads.ts';
import type { Item } from '../item.ts';

/** A model call that was admitted, until its answer is whole, breaks off or fails. */
export class ModelExchange {
  readonly #conversation: Conversation;
  readonly #joined: Joined;
  readonly #request: WireRequest;
  readonly #requestId: string;
  readonly #permit: Permit;
  readonly #report: (signal: SignalInput) => void;
  #isSettled = false;

  constructor(
    conversation: Conversation,
    joined: Joined,
    request: WireRequest,
    { requestId, permit, report }: Admitted,
  ) {
    this.#conversation = conversation;
    this.#joined = joined;
    this.#request = request;
    this.#requestId = requestId;
    this.#permit = permit;
    this.#report = report;
  }

  /** The conversation that the call belongs to. */
  get conversation(): Conversation {
    return this.#conversation;
  }

  /** The model answered. An answer that broke off counts as far as it came. */
  answered(answer: WireAnswer): void {
    const usage = readUsage(answer.usage);
    const known = usage ?? {
      inputTokens: promptTokens(this.#request),
      outputTokens: tokensOf(answer.items),
      isEstimate: true,
    };
    this.#settle(known, answer.isComplete ? answer : undefined);
  }

  /** The model was not reached, or said that it cannot answer. */
  failed(error: unknown): void {
    const none = { inputTokens: 0, outputTokens: 0, costUsd: null };
    this.#settle({ ...none, error: signalError(error) }, undefined);
  }

  #settle(usage: Spent, answer: WireAnswer | undefined): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    const { agent } = this.#joined;
    const { model } = this.#request;
    this.#report({ kind: 'usage', agent, model, requestId: this.#requestId, ...usage });
    this.#joined.ended(answer);
    this.#permit.release();
  }
}

/** What the admission of a call brought. */
export interface Admitted {
  readonly requestId: string;
  readonly permit: Permit;
  readonly report: (signal: SignalInput) => void;
}

type UsageInput = Extract<SignalInput, { readonly kind: 'usage' }>;
type Spent = Pick<UsageInput, 'inputTokens' | 'outputTokens' | 'costUsd' | 'isEstimate' | 'error'>;

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
