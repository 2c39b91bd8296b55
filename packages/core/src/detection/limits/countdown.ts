import { inDigits, listed } from '../../common/words.ts';
import type { Evidence, Finding } from '../finding.ts';

/** What is left of a limit. */
export interface Left {
  /** What is counted, such as `number of model calls`; and the same without anything that was said. */
  readonly things: readonly [quoted: string, unquoted: string];
  readonly max: number;
  readonly left: number;
}

/** A half is left, a quarter, an eighth: nobody needs to hear of each call. */
const PARTS = [2, 4, 8];

/** What the team is told once less is left of a limit, if it is time: where half of it is left, a quarter, an eighth, and the last. */
export function countdown(
  before: readonly Left[],
  now: readonly Left[],
  where: Pick<Evidence, 'agents' | 'indices'>,
): Finding | undefined {
  const due = now.filter((one, i) => partsGone(one) > partsGone(before[i] ?? one));
  const [first] = due;
  if (first === undefined) return undefined;
  const { max, left, things } = first;
  const [subject, plain] = things;
  const reason = (which: 0 | 1): string => listed(due.map((one) => leftOf(one, which)));
  return {
    level: 'warn',
    kind: 'limit',
    basis: 'declared',
    reason: reason(0),
    evidence: { ...where, count: max - left, limit: max, subject },
    unquoted: { reason: reason(1), subject: plain },
  };
}

function partsGone({ left, max }: Left): number {
  return PARTS.filter((part) => left * part <= max).length + (left === 1 ? 1 : 0);
}

/** `4 of 30 model calls are left`. */
function leftOf({ left, max, things }: Left, which: 0 | 1): string {
  const what = things[which].replace('number of ', '');
  return `${inDigits(left)} of ${inDigits(max)} ${what} ${left === 1 ? 'is' : 'are'} left`;
}
