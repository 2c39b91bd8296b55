/** An amount of spend, in integers: money in nano-dollars, and tokens. */
export interface Amount {
  readonly nanoUsd: number;
  readonly tokens: number;
}

/** Nothing. */
export const NOTHING: Amount = { nanoUsd: 0, tokens: 0 };

/**
 * US dollars as whole nano-dollars; a finer price is rounded up, so that nothing is ever for free. More than fits a safe
 * integer (9 million dollars) counts as that.
 */
export function toNanoUsd(usd: number): number {
  // The subtraction takes back what floating point adds: 0.43 * 1e9 is 430000000.00000006.
  return Math.min(Math.max(0, Math.ceil(usd * 1e9 - 1e-3)), Number.MAX_SAFE_INTEGER);
}

/** `$0.43` for 430,000,000 nano-dollars: two decimals, more for less than a cent. */
export function formatUsd(nanoUsd: number): string {
  const usd = nanoUsd / 1e9;
  return `$${usd === 0 || usd >= 0.01 ? usd.toFixed(2) : usd.toPrecision(2)}`;
}

/** Shows the parts of an amount and the whole with as many decimals as it takes to see which is more. */
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

/** The sum of two counts, as far as integers are exact. */
export function plus(a: number, b: number): number {
  return Math.min(a + b, Number.MAX_SAFE_INTEGER);
}

/** The sum of two amounts. */
export function add(a: Amount, b: Amount): Amount {
  return { nanoUsd: plus(a.nanoUsd, b.nanoUsd), tokens: plus(a.tokens, b.tokens) };
}

/** What is left of `a` without `b`. */
export function subtract(a: Amount, b: Amount): Amount {
  return { nanoUsd: a.nanoUsd - b.nanoUsd, tokens: a.tokens - b.tokens };
}

/** Whether `value`, from a snapshot, is an amount. */
export function isAmount(value: unknown): value is Amount {
  const { nanoUsd, tokens } = Object(value);
  return isCount(nanoUsd) && isCount(tokens);
}

/** Whether `value` is a whole number of at least 0. */
export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
