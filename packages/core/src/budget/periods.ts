/** The periods that purses may have, and the options for them. */
export const PERIODS = [
  { period: 'day', option: 'perDay' },
  { period: 'month', option: 'perMonth' },
] as const;

export type Period = (typeof PERIODS)[number]['period'];

const NAME = /^(day|month):([^/]*)(?:\/|$)/;

/**
 * The name of a purse in a period, such as `day:2026-11-26/user:ann`; of the whole budget, `day:2026-11-26`. Each period is a purse
 * by itself, in any store.
 */
export function periodPurse(period: Period, date: string, purse: string): string {
  return `${period}:${date}${purse === '' ? '' : `/${purse}`}`;
}

/** The day itself, or its month: `2026-11` of `2026-11-26`. */
export function dateOf(period: Period, day: string): string {
  return period === 'day' ? day : day.slice(0, Math.max(0, day.lastIndexOf('-')));
}

/** The name of a purse taken apart. */
interface PurseName {
  readonly period?: Period;
  /** The day or the month. */
  readonly date?: string;
  /** The name of the owner's purse for ever; empty for the whole budget. */
  readonly owner: string;
}

/** Takes the name of a purse apart. */
export function periodIn(purse: string): PurseName {
  const [start = '', period, date = ''] = NAME.exec(purse) ?? [];
  if (period === undefined) return { owner: purse };
  return { period: period as Period, date, owner: purse.slice(start.length) };
}
