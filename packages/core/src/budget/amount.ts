import { isCount } from '../common/json.ts';

/** An amount of spend in integers: nano-dollars and tokens. */
export interface Amount {
  readonly nanoUsd: number;
  readonly tokens: number;
}

const MOST = BigInt(Number.MAX_SAFE_INTEGER);

export const NOTHING: Amount = { nanoUsd: 0, tokens: 0 };

/**
 * US dollars as whole nano-dollars, rounded up so that nothing is free, and at most the largest safe integer (9 million dollars).
 */
export function toNanoUsd(usd: number): number {
  // The subtraction corrects floating-point error: 0.43 * 1e9 is 430000000.00000006.
  return Math.min(Math.max(0, Math.ceil(usd * 1e9 - 1e-3)), Number.MAX_SAFE_INTEGER);
}

/** `$0.43` for 430,000,000 nano-dollars: two decimals, more for less than a cent. */
export function formatUsd(nanoUsd: number): string {
  const usd = nanoUsd / 1e9;
  return `$${usd === 0 || usd >= 0.01 ? usd.toFixed(2) : usd.toPrecision(2)}`;
}

/** Formats a whole and its parts with enough decimals to show which is larger. */
export function usdFormat(whole: number, ...parts: number[]): (nanoUsd: number) => string {
  const isSeen = (format: (nanoUsd: number) => string): boolean => {
    const shown = (nanoUsd: number): number => toNanoUsd(Number(format(nanoUsd).slice(1)));
    return Math.sign(sum(parts.map(shown)) - shown(whole)) === Math.sign(sum(parts) - whole);
  };
  return [formatUsd, ...FINER].find(isSeen) ?? formatUsd;
}

/** From three decimals to nine, which are nano-dollars. */
const FINER = [3, 4, 5, 6, 7, 8, 9].map(
  (decimals) =>
    (nanoUsd: number): string =>
      `$${(nanoUsd / 1e9).toFixed(decimals)}`,
);

function sum(counts: readonly number[]): number {
  return counts.reduce(plus, 0);
}

/** The sum of two counts, at most the largest safe integer. */
export function plus(a: number, b: number): number {
  return Math.min(a + b, Number.MAX_SAFE_INTEGER);
}

/** A count so many times, at most the largest safe integer. */
export function times(a: number, b: number): number {
  return Math.min(a * b, Number.MAX_SAFE_INTEGER);
}

export function add(a: Amount, b: Amount): Amount {
  return { nanoUsd: plus(a.nanoUsd, b.nanoUsd), tokens: plus(a.tokens, b.tokens) };
}

export function isNothing({ nanoUsd, tokens }: Amount): boolean {
  return nanoUsd === 0 && tokens === 0;
}

/** The part of `a` beyond `b`, in each unit. */
export function beyond(a: Amount, b: Amount): Amount {
  return { nanoUsd: Math.max(0, a.nanoUsd - b.nanoUsd), tokens: Math.max(0, a.tokens - b.tokens) };
}

/** A sum from which everything that was added can be taken again, however large it was. */
export class ExactSum {
  #nanoUsd = 0n;
  #tokens = 0n;

  add({ nanoUsd, tokens }: Amount): void {
    this.#nanoUsd += BigInt(nanoUsd);
    this.#tokens += BigInt(tokens);
  }

  subtract({ nanoUsd, tokens }: Amount): void {
    this.#nanoUsd -= BigInt(nanoUsd);
    this.#tokens -= BigInt(tokens);
  }

  /** The sum, each unit at most the largest safe integer. */
  get total(): Amount {
    return { nanoUsd: safe(this.#nanoUsd), tokens: safe(this.#tokens) };
  }
}

function safe(sum: bigint): number {
  return sum > MOST ? Number.MAX_SAFE_INTEGER : Number(sum);
}

/** Whether `value`, from a snapshot, is an amount. */
export function isAmount(value: unknown): value is Amount {
  const { nanoUsd, tokens } = Object(value);
  return isCount(nanoUsd) && isCount(tokens);
}
