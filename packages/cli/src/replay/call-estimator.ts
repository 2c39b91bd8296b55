import type { Signal } from '@teamfuse/core';
import { estimateTokens } from '@teamfuse/core/detectors';
import type { TokenUsage } from '@teamfuse/core/kit';
import { UNKNOWN_MODEL } from '../transcript/transcript.ts';
import { NO_CALLS, plusCall, type Tally } from './tally.ts';

/** The price of a call in US dollars; `null` if it is unknown. */
export type PriceOfCall = (model: string, usage: TokenUsage) => number | null;

/** Models read no more than about this: a longer history is cut by whoever makes the call. */
const MAX_HISTORY_TOKENS = 128_000;

/**
 * Estimates what the model calls of a conversation took, from what was said: each call reads all that was said before, and writes
 * what comes next. System messages, tool definitions and thoughts are not recorded, so that the truth is rather more; what was read from a
 * cache is cheaper.
 */
export class CallEstimator {
  readonly #priceOf: PriceOfCall | undefined;
  #history = 0;
  #model = UNKNOWN_MODEL;
  /** Whether a message came last: the call that wrote it asked for the step that follows as well. */
  #isAsked = false;
  #spent = NO_CALLS;

  constructor(priceOf?: PriceOfCall) {
    this.#priceOf = priceOf;
  }

  get spent(): Tally {
    return this.#spent;
  }

  add(signal: Signal): void {
    switch (signal.kind) {
      case 'model-request':
        this.#model = signal.model;
        break;
      case 'human-input':
        this.#hear(signal.text);
        break;
      case 'message':
      case 'handoff':
        this.#isAsked = false;
        this.#call(signal.text);
        this.#isAsked = true;
        break;
      case 'tool-call':
        this.#call(JSON.stringify(signal.args));
        this.#hear(signal.error?.message ?? JSON.stringify(signal.result));
        break;
      case 'execution':
        // The code stood in the message.
        if (!this.#isAsked) this.#call(signal.code);
        this.#hear(signal.output);
    }
  }

  #call(text = ''): void {
    const inputTokens = this.#isAsked ? 0 : Math.min(this.#history, MAX_HISTORY_TOKENS);
    const outputTokens = estimateTokens(text);
    const price = this.#priceOf?.(this.#model, { inputTokens, outputTokens }) ?? null;
    this.#spent = plusCall(this.#spent, inputTokens + outputTokens, price);
    this.#history += outputTokens;
  }

  #hear(text = ''): void {
    this.#history += estimateTokens(text);
    this.#isAsked = false;
  }
}
