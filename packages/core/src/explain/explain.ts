import { formatUsd, usdFormat } from '../budget/amount.ts';
import type { Cost } from '../budget/cost.ts';
import type { Trip, TripEvidence } from '../circuit/trip.ts';
import { cleanText } from '../common/excerpt.ts';
import { orInvalid } from '../common/options.ts';
import type { Basis } from '../detection/finding.ts';
import { falseAlarmAdvice, guardAdvice } from './advice.ts';
import { evidenceLines } from './evidence-lines.ts';

const REASON_LENGTH = 400;
const KIND_LENGTH = 60;
const NAME_LENGTH = 40;
const MAX_NAMES = 8;

/**
 * Explains a trip in plain text: what happened, the signals that show it, and what to change.
 *
 * It needs only the trip, so a trip from a log or a snapshot works too. Quotes are stripped of control, direction and invisible
 * characters, so that they cannot imitate the report.
 *
 * @throws {@link InvalidOptionError} if it is no trip.
 * @example
 * ```ts
 * const breaker = new Breaker({ maxMessages: 1 });
 * const trip = breaker.observe({ kind: 'message', at: 0, agent: 'writer', text: 'A first draft.' });
 * trip && explain(trip).split('\n')[0]; // => 'limit: the limit of 1 message is reached (maxMessages)'
 * ```
 */
export function explain(trip: Trip): string {
  return orInvalid('trip', 'a trip', trip, () => explained(trip));
}

function explained(trip: Trip): string {
  const { kind, basis, reason, agents, evidence, by } = trip;
  const [first] = evidence.indices;
  return [
    `${cleanText(kind, KIND_LENGTH)}: ${cleanText(reason, REASON_LENGTH)}`,
    `  who    ${names(agents)}`,
    `  count  ${counted(evidence)}`,
    `  basis  ${BASES[basis]}${newsOf(evidence)}`,
    ...(first === undefined ? [] : [`  spent  ${spent(evidence.cost)}, since #${first}`]),
    '',
    ...evidenceLines(evidence),
    by === 'guard' ? guardAdvice(kind) : falseAlarmAdvice(kind, evidence),
  ].join('\n');
}

const BASES: Readonly<Record<Basis, string>> = {
  certain: 'certain: it was counted',
  declared: 'declared: a limit was reached',
  judged: 'judged: a judge was asked',
  suspected: 'suspected: no judge was asked',
};

function newsOf({ newsAt }: TripEvidence): string {
  return newsAt === undefined ? '' : `; the last new step was #${newsAt}`;
}

function names(agents: readonly string[]): string {
  const shown = agents.slice(0, MAX_NAMES).map((agent) => cleanText(agent, NAME_LENGTH) || '-');
  const hidden = agents.length - shown.length;
  if (shown.length === 0) return '-';
  return hidden === 0 ? shown.join(', ') : `${shown.join(', ')} and ${hidden} more`;
}

function counted({ count, limit, period = 1, subject }: TripEvidence): string {
  if (subject === 'probability') {
    return `the judge is ${percent(count)} sure; ${percent(limit)} is enough to stop the team`;
  }
  const show = subject === 'nano-dollars' ? usdFormat(limit, count) : number;
  const rounds = period > 1 ? `, in rounds of ${number(period)}` : '';
  return `${show(count)} against a limit of ${show(limit)}${rounds}`;
}

/** An unknown price is shown as unknown, never as $0.00. */
function spent({ nanoUsd, tokens, unpricedTokens, isEstimate }: Cost): string {
  if (nanoUsd === 0 && tokens === 0) return 'none reported';
  const about = isEstimate ? 'about ' : '';
  const unpriced = unpricedTokens === tokens ? 'price' : `price of ${number(unpricedTokens)}`;
  const note = unpricedTokens > 0 ? ` (${unpriced} unknown)` : '';
  const usd = nanoUsd > 0 || unpricedTokens === 0 ? `${formatUsd(nanoUsd)}, ` : '';
  return `${about}${usd}${number(tokens)} tokens${note}`;
}

function percent(probability: number): string {
  return `${Math.round(100 * probability)}%`;
}

function number(value: number): string {
  return value.toLocaleString('en-US');
}
