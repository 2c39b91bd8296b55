import type { Amount, BudgetLimits, BudgetTotals, Purse, PurseTotals } from '@teamfuse/core/kit';
import { amountOf, UNITS } from '../amounts.ts';

/** The whole budget, which has no name. */
export const WHOLE = '';

type Seen = (name: string) => PurseTotals | undefined;

/**
 * What is left under all limits for a lease that holds `idle` ahead of its calls, by the books as they were seen last. Where
 * nothing is known of a purse, nothing is left.
 */
export function leftFor(
  limits: BudgetLimits,
  purses: readonly Purse[],
  idle: Amount,
  seen: Seen,
): Amount {
  const all = [{ ...limits, name: WHOLE }, ...purses];
  return amountOf((unit) =>
    Math.min(
      ...all.map(({ name, [unit]: limit }) => {
        if (limit === undefined) return Number.POSITIVE_INFINITY;
        const books = seen(name);
        if (books === undefined) return 0;
        return Math.max(0, limit - books.spent[unit] - books.reserved[unit] + idle[unit]);
      }),
    ),
  );
}

/** The names of the purses whose limits an amount would exceed. */
export function fullPurses(
  totals: BudgetTotals,
  amount: Amount,
  limits: BudgetLimits,
  purses: readonly Purse[],
): readonly string[] {
  const isFull = (books: PurseTotals | undefined, most: BudgetLimits): boolean =>
    UNITS.some((unit) => {
      const { spent, reserved } = books ?? {};
      const used = (spent?.[unit] ?? 0) + (reserved?.[unit] ?? 0);
      return used + amount[unit] > (most[unit] ?? Number.POSITIVE_INFINITY);
    });
  const full = purses.filter((purse, i) => isFull(totals.purses?.[i], purse));
  const names = full.map(({ name }) => name);
  return isFull(totals, limits) ? [WHOLE, ...names] : names;
}
