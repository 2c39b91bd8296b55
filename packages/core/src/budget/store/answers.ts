import { show } from '../../common/errors.ts';
import { cleanText } from '../../common/excerpt.ts';
import type { Amount } from '../amount.ts';
import {
  type BudgetStore,
  BudgetStoreError,
  type BudgetTotals,
  type PurseTotals,
  type ReservationResult,
} from './budget-store.ts';

const CAUSE_LENGTH = 200;

/** Checks the answer to a reservation. @throws {@link BudgetStoreError} */
export function readResult(answer: unknown, purses: number): ReservationResult {
  const { isGranted, totals } = Object(answer);
  if (typeof isGranted !== 'boolean') wrong('reserve', 'isGranted', 'true or false', isGranted);
  return { isGranted, totals: readTotals('reserve', totals, purses) };
}

/** Checks the totals that a store returned. @throws {@link BudgetStoreError} */
export function readTotals(
  member: keyof BudgetStore,
  answer: unknown,
  purses: number,
): BudgetTotals {
  const whole = readPurse(member, '', answer);
  if (purses === 0) return whole;
  const { purses: books } = Object(answer);
  if (!Array.isArray(books) || books.length !== purses) {
    const kept = Array.isArray(books) ? books.length : 0;
    const problem = `returned totals for ${kept} of ${purses} purses (agents, models, conversations)`;
    throw new BudgetStoreError(member, problem);
  }
  return { ...whole, purses: books.map((one, i) => readPurse(member, `purses[${i}].`, one)) };
}

/** Wraps what a store threw. */
export function failure(member: keyof BudgetStore, error: unknown): BudgetStoreError {
  if (error instanceof BudgetStoreError) return error;
  return new BudgetStoreError(member, `failed: ${cleanText(messageOf(error), CAUSE_LENGTH)}`, {
    cause: error,
  });
}

function messageOf(error: unknown): string {
  try {
    return String(error instanceof Error ? error.message : error);
  } catch {
    return 'an unprintable error';
  }
}

function readPurse(member: keyof BudgetStore, path: string, answer: unknown): PurseTotals {
  const { spent, reserved } = Object(answer);
  return {
    spent: readAmount(member, `${path}spent`, spent),
    reserved: readAmount(member, `${path}reserved`, reserved),
  };
}

function readAmount(member: keyof BudgetStore, field: string, amount: unknown): Amount {
  const { nanoUsd, tokens } = Object(amount);
  for (const [unit, value] of [
    ['nanoUsd', nanoUsd],
    ['tokens', tokens],
  ] as const) {
    if (Number.isSafeInteger(value) && value >= 0) continue;
    wrong(member, `${field}.${unit}`, 'a whole number of at least 0', value);
  }
  return { nanoUsd, tokens };
}

function wrong(
  member: keyof BudgetStore,
  field: string,
  expected: string,
  received: unknown,
): never {
  const problem = `returned ${field}: expected ${expected}, received ${show(received)}`;
  throw new BudgetStoreError(member, problem);
}
