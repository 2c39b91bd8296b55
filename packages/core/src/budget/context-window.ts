import { named, quotation } from '../common/excerpt.ts';
import { type OptionTable, readOptions } from '../common/option-table.ts';
import { integer } from '../common/options.ts';
import { inDigits } from '../common/words.ts';
import type { Finding } from '../detection/finding.ts';
import type { ModelRequestSignal } from '../signal/signal.ts';

/** Options of {@link ContextWindow}. */
export interface ContextWindowOptions {
  /** Tokens the model can take, prompt and answer together. */
  readonly maxContextTokens: number;
  /**
   * Tokens kept free for the answer when the request has no `maxOutputTokens`.
   * @defaultValue 0
   */
  readonly headroom?: number;
}

export const WINDOW_OPTIONS: OptionTable<ContextWindowOptions> = {
  maxContextTokens: { type: 'integer', min: 1, isRequired: true },
  headroom: { type: 'integer', min: 0, default: 0 },
};

/** Refuses calls that would not fit the model's context window. */
export class ContextWindow {
  readonly #maxContextTokens: number;
  readonly #headroom: number;

  constructor(options: ContextWindowOptions) {
    const { maxContextTokens, headroom } = readOptions<ContextWindowOptions>(
      'contextWindow',
      options,
      WINDOW_OPTIONS,
    );
    this.#maxContextTokens = maxContextTokens;
    this.#headroom = integer('contextWindow.headroom', headroom, 0, maxContextTokens - 1);
  }

  /** A finding if a prompt of `inputTokens` leaves too little room for its answer. */
  request(signal: ModelRequestSignal, inputTokens: number): Finding | undefined {
    const count = inputTokens + (signal.maxOutputTokens ?? this.#headroom);
    if (count <= this.#maxContextTokens) return undefined;
    return {
      level: 'trip',
      kind: 'context-window',
      basis: 'declared',
      reason: `the next call of ${named(signal.agent)} needs ${inDigits(count)} tokens, but the context window of ${quotation(signal.model)} holds ${inDigits(this.#maxContextTokens)}`,
      evidence: {
        agents: [signal.agent],
        indices: [],
        count,
        limit: this.#maxContextTokens,
        subject: signal.model,
      },
    };
  }
}
