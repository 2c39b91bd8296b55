import type { Signal } from '@teamfuse/core';
import type { UsageSignal } from '@teamfuse/core/kit';
import { CallEstimator, type PriceOfCall } from './call-estimator.ts';
import { NANO_USD, NO_CALLS, plusCall, since, type Tally } from './tally.ts';

/** What a stretch of a conversation took. */
export interface Spend {
  readonly turns: number;
  readonly tokens: number;
  /** US dollars where a price is known; `null` if none is. */
  readonly usd: number | null;
  /** Tokens of unknown price: their cost is not in `usd`. */
  readonly unpricedTokens: number;
  /** Whether tokens, and with them money, are estimated: no model call was recorded with its usage. */
  readonly isEstimate: boolean;
}

/** The larger one first: in money, then in tokens, then in turns. */
export function bySpend(a: Spend, b: Spend): number {
  return (b.usd ?? 0) - (a.usd ?? 0) || b.tokens - a.tokens || b.turns - a.turns;
}

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

interface Mark {
  readonly turns: number;
  readonly reported: Tally;
  readonly estimated: Tally;
}

interface ReportedCall {
  readonly requestId: string | undefined;
  readonly tokens: number;
  readonly usd: number | null;
}

/** Adds up what signals report. Where none reports usage, it is estimated from what they say. */
export class SpendCounter {
  readonly #estimator: CallEstimator;
  #turns = 0;
  #reported = NO_CALLS;
  #isReported = false;
  #mark: Mark | undefined;
  /** The latest model call. */
  #call: ReportedCall | undefined;

  /** @param priceOf the price of an estimated call; unknown without it. */
  constructor(priceOf?: PriceOfCall) {
    this.#estimator = new CallEstimator(priceOf);
  }

  add(signal: Signal): void {
    if (isTurn(signal)) this.#turns += 1;
    if (signal.kind === 'usage') {
      this.#report(signal);
      this.#isReported = true;
    } else if (!this.#isReported) this.#estimator.add(signal);
  }

  /** Of a call that is reported step by step, only what is new counts. */
  #report({ requestId, inputTokens, outputTokens, costUsd = null }: UsageSignal): void {
    const call = { requestId, tokens: inputTokens + outputTokens, usd: costUsd };
    const before =
      requestId === undefined || requestId !== this.#call?.requestId ? undefined : this.#call;
    this.#call = call;
    if (before === undefined) this.#reported = plusCall(this.#reported, call.tokens, call.usd);
    else if (call.tokens > before.tokens) {
      const usd = call.usd === null ? null : Math.max(0, call.usd - (before.usd ?? 0));
      this.#reported = plusCall(this.#reported, call.tokens - before.tokens, usd);
    }
  }

  /** From here on counts for {@link saved}. */
  mark(): void {
    this.#mark = {
      turns: this.#turns,
      reported: this.#reported,
      estimated: this.#estimator.spent,
    };
  }

  get turns(): number {
    return this.#turns;
  }

  get spend(): Spend {
    return this.#spendOf(this.#turns, this.#counted);
  }

  /** What came after the mark; nothing without one. */
  get saved(): Spend {
    if (this.#mark === undefined) return this.#spendOf(0, NO_CALLS);
    const { turns, reported, estimated } = this.#mark;
    const before = this.#isReported ? reported : estimated;
    return this.#spendOf(this.#turns - turns, since(before, this.#counted));
  }

  get #counted(): Tally {
    return this.#isReported ? this.#reported : this.#estimator.spent;
  }

  #spendOf(turns: number, { tokens, nanoUsd, unpricedTokens }: Tally): Spend {
    const isEstimate = !this.#isReported && tokens > 0;
    return {
      turns,
      tokens,
      usd: nanoUsd === null ? null : nanoUsd / NANO_USD,
      // Of what is estimated, nobody expects a price.
      unpricedTokens: isEstimate ? 0 : unpricedTokens,
      isEstimate,
    };
  }
}
