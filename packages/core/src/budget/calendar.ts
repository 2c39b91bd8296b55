import { InvalidOptionError } from '../common/errors.ts';
import { dateOf, type Period } from './periods.ts';

/** The furthest times from 1970 that have a date. */
const LAST = 8.64e15;
const SECOND_MS = 1_000;
const LONGEST_MONTH_MS = 32 * 86_400_000;

/** Tells the days of a time zone. */
export class Calendar {
  readonly #format: Intl.DateTimeFormat;
  /** The second that was asked for last, and its day. No zone changes within a second. */
  #second: number | undefined;
  #day = '';

  /** @throws {@link InvalidOptionError} if there is no such zone. */
  constructor(timeZone: string) {
    const parts = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;
    try {
      this.#format = new Intl.DateTimeFormat('en-u-ca-iso8601-nu-latn', { ...parts, timeZone });
    } catch {
      const expected = 'the name of a time zone, such as Europe/Berlin';
      throw new InvalidOptionError('budget.timeZone', expected, timeZone);
    }
  }

  /** The day at this time, such as `2026-11-26`. */
  dayAt(now: number): string {
    const second = Math.floor(now / SECOND_MS);
    if (second !== this.#second) {
      this.#day = this.#read(second * SECOND_MS);
      this.#second = second;
    }
    return this.#day;
  }

  /** When the period of a day ends that holds `now`. */
  endOf(period: Period, now: number): number {
    const date = dateOf(period, this.dayAt(now));
    let [before, after] = [now, now + LONGEST_MONTH_MS];
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2);
      if (dateOf(period, this.dayAt(middle)) === date) before = middle;
      else after = middle;
    }
    return after;
  }

  #read(ms: number): string {
    const parts = this.#format.formatToParts(Math.min(Math.max(ms, -LAST), LAST));
    const part = (wanted: string): string =>
      parts.find(({ type }) => type === wanted)?.value.padStart(2, '0') ?? '';
    return `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`;
  }
}
