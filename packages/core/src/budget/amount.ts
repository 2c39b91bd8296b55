/** An amount of spend, in integers: money in nano-dollars, and tokens. */
export interface Amount {
  readonly nanoUsd: number;
  readonly tokens: number;
}

/** Nothing. */
export const NOTHING: Amount = { nanoUsd: 0, tokens: 0 };

/** US dollars as whole nano-dollars; a finer price is rounded up, so that nothing is ever for free. */
export function toNanoUsd(usd: number): number {
  // The subtraction takes back what floating point adds: 0.43 * 1e9 is 430000000.00000006.
  return Math.max(0, Math.ceil(usd * 1e9 - 1e-3));
}

/** `$0.43` for 430,000,000 nano-dollars: two decimals, more for less than a cent. */
export function formatUsd(nanoUsd: number): string {
  const usd = nanoUsd / 1e9;
  return `$${usd === 0 || usd >= 0.01 ? usd.toFixed(2) : usd.toPrecision(2)}`;
}

/** The sum of two amounts. */
export function add(a: Amount, b: Amount): Amount {
  return { nanoUsd: a.nanoUsd + b.nanoUsd, tokens: a.tokens + b.tokens };
}
