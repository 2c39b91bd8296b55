import { InvalidOptionError } from '@teamfuse/core';
import type { Amount, BudgetTotals, PurseTotals } from '@teamfuse/core/kit';
import type { Booking } from './budget-server.ts';

export const NOTHING: Amount = { nanoUsd: 0, tokens: 0 };

export const UNITS: readonly (keyof Amount)[] = ['nanoUsd', 'tokens'];

const MOST = Number.MAX_SAFE_INTEGER;
const EXPECTED = 'an amount: nanoUsd and tokens, whole numbers of at least 0';

/** Checks an amount, which servers add up in whole numbers. @throws {@link InvalidOptionError} */
export function checked(name: string, amount: Amount): Amount {
  if (isAmount(amount)) return { nanoUsd: amount.nanoUsd, tokens: amount.tokens };
  throw new InvalidOptionError(name, EXPECTED, amount);
}

export function isBooking(value: unknown): value is Booking {
  const { id, actual, purses, lease, reserved } = Object(value);
  const areNames = Array.isArray(purses) && purses.every((one) => typeof one === 'string');
  const isLeased = lease === undefined || typeof lease === 'string';
  const isHeld = reserved === undefined || isAmount(reserved);
  return typeof id === 'string' && isAmount(actual) && areNames && isLeased && isHeld;
}

/** An amount, unit by unit. */
export function amountOf(count: (unit: keyof Amount) => number): Amount {
  return { nanoUsd: count('nanoUsd'), tokens: count('tokens') };
}

export function plus(a: Amount, b: Amount): Amount {
  return { nanoUsd: a.nanoUsd + b.nanoUsd, tokens: a.tokens + b.tokens };
}

/** What remains of `a` without `b`; less than nothing where `b` is more. */
export function minus(a: Amount, b: Amount): Amount {
  return { nanoUsd: a.nanoUsd - b.nanoUsd, tokens: a.tokens - b.tokens };
}

/** At least nothing, and at most `most`, in each unit. */
export function clamped(amount: Amount, most: Amount): Amount {
  return amountOf((unit) => Math.max(0, Math.min(amount[unit], most[unit])));
}

/** The sum of two purses' books, each unit at most the largest safe integer. */
export function addBooks(one: PurseTotals, other: PurseTotals): PurseTotals {
  return {
    spent: add(one.spent, other.spent),
    reserved: add(one.reserved, other.reserved),
  };
}

/**
 * The books in the answer of a server: for the whole budget and each purse the dollars spent, the tokens spent, and those
 * reserved. Texts, because clients of databases read large numbers in different ways.
 */
export function booksIn(figures: readonly string[]): BudgetTotals {
  const books: PurseTotals[] = [];
  for (let i = 0; i + 3 < figures.length; i += 4) {
    const at = (offset: number): number => Number(figures[i + offset]);
    books.push({
      spent: { nanoUsd: at(0), tokens: at(1) },
      reserved: { nanoUsd: at(2), tokens: at(3) },
    });
  }
  const [whole = { spent: NOTHING, reserved: NOTHING }, ...purses] = books;
  return purses.length === 0 ? whole : { ...whole, purses };
}

function isAmount(value: unknown): value is Amount {
  const { nanoUsd, tokens } = Object(value);
  return [nanoUsd, tokens].every((count) => Number.isSafeInteger(count) && count >= 0);
}

function add(a: Amount, b: Amount): Amount {
  return {
    nanoUsd: Math.min(a.nanoUsd + b.nanoUsd, MOST),
    tokens: Math.min(a.tokens + b.tokens, MOST),
  };
}
