import type { Signal } from '@teamfuse/core';

/** What a stretch of a conversation took. */
export interface Spend {
  readonly turns: number;
  readonly tokens: number;
  /** US dollars where a price is known; `null` if none is. */
  readonly usd: number | null;
  /** Tokens of unknown price: their cost is not in `usd`. */
  readonly unpricedTokens: number;
}

const NANO = 1e9;
/** Signals that accompany a turn. */
const BESIDE: readonly string[] = [
  'usage',
  'model-request',
  'selection',
  'nested-start',
  'nested-end',
];

/** Whether a signal counts as a turn: a message, call, run or handoff. */
export function isTurn({ kind }: Signal): boolean {
  return !BESIDE.includes(kind);
}

/** Adds up what signals report. */
export class SpendCounter {
  #turns = 0;
  #tokens = 0;
  #nanoUsd = 0;
  #isPriced = false;
  #unpricedTokens = 0;

  add(signal: Signal): void {
    if (isTurn(signal)) this.#turns += 1;
    if (signal.kind !== 'usage') return;
    const tokens = signal.inputTokens + signal.outputTokens;
    this.#tokens += tokens;
    if (signal.costUsd === null || signal.costUsd === undefined) this.#unpricedTokens += tokens;
    else {
      this.#nanoUsd += Math.round(signal.costUsd * NANO);
      this.#isPriced = true;
    }
  }

  get turns(): number {
    return this.#turns;
  }

  get spend(): Spend {
    return {
      turns: this.#turns,
      tokens: this.#tokens,
      usd: this.#isPriced ? this.#nanoUsd / NANO : null,
      unpricedTokens: this.#unpricedTokens,
    };
  }
}
