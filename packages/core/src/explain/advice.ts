import { PERIODS, periodIn } from '../budget/periods.ts';
import { cleanText } from '../common/excerpt.ts';
import { DETECTOR_SPECS } from '../detection/detectors/default-detectors.ts';
import type { Evidence, FindingKind } from '../detection/finding.ts';

const KIND_LENGTH = 60;

/** What to change after a false alarm of each kind, with the defaults in brackets. */
const ADVICE: Readonly<Record<string, string>> = {
  ...Object.fromEntries(DETECTOR_SPECS.map((spec) => [spec.kind, adviceOf(spec)])),
  'context-window':
    'To continue, shorten the history and call breaker.reset(). If the model has a larger window, correct contextWindow.maxContextTokens.',
  limit: 'To continue with the same limits, call breaker.reset().',
  manual: 'The team was stopped by hand. To continue, call breaker.reset().',
};

/** What to change if a trip of this kind was a false alarm: one sentence for a person, with the option and its value. */
export function falseAlarmAdvice(kind: FindingKind, evidence: Evidence): string {
  if (kind === 'budget') return budgetAdvice(evidence);
  if (evidence.subject === 'probability') {
    // The limit is half-way between it and 1.
    const stopFrom = Number((2 * evidence.limit - 1).toFixed(3));
    return `If the judge was wrong, raise judge.stopFrom (${stopFrom}).`;
  }
  const advice = Object.hasOwn(ADVICE, kind) ? ADVICE[kind] : undefined;
  if (advice !== undefined) return advice;
  const name = cleanText(kind, KIND_LENGTH);
  return `If this was a false alarm, adjust the detector of '${name}', or set reaction: { '${name}': 'warn' } to be warned only.`;
}

function adviceOf({ name, advice, options }: (typeof DETECTOR_SPECS)[number]): string {
  return advice.replace(
    /\{(\w+)\}/g,
    (_, option) => `${name}.${option} (${options[option]?.default})`,
  );
}

/** What to change after a trip of a guarded function. */
export function guardAdvice(kind: FindingKind): string {
  if (kind === 'budget') {
    return 'To continue, raise the budget: guard.raise({ … }) of a FunctionGuard, or onTrip: () => ({ raiseTo: { … } }).';
  }
  if (kind === 'context-window') {
    return 'To continue, shorten the input. If the model has a larger window, correct context.maxContextTokens.';
  }
  return 'If this was no loop, raise loop.repeats (3); for a polling function, set polls.maxWaitMs.';
}

/** Names that are safe to print unquoted. */
const PLAIN_NAME = /^[\w.-]{1,40}$/;

/** The call that doubles the limit that did not suffice. */
function budgetAdvice({ count, limit, subject, purse = '' }: Evidence): string {
  if (!(count > limit)) {
    return 'To continue, set what the reason names, and call breaker.reset().';
  }
  const isMoney = subject === 'nano-dollars';
  const most = isMoney ? `maxUsd: ${roundUsd(count)}` : `maxTokens: ${2 * count}`;
  const { period, owner } = periodIn(purse);
  const { option } = PERIODS.find((one) => one.period === period) ?? {};
  const limits = option === undefined ? most : `${option}: { ${most} }`;
  return `To continue, call breaker.raise(${raiseArgument(owner, limits)}).`;
}

function raiseArgument(purse: string, most: string): string {
  if (purse === 'conversation') return `{ perConversation: { ${most} } }`;
  const colon = purse.indexOf(':');
  const name = purse.slice(colon + 1);
  if (colon < 0) return `{ ${most} }`;
  const owner = purse.slice(0, colon);
  if (!PLAIN_NAME.test(name))
    return `{ per${owner.charAt(0).toUpperCase()}${owner.slice(1)}: { ${most} } }`;
  return `{ ${owner}s: { '${name}': { ${most} } } }`;
}

/** Twice the amount, in cents, or exact below a cent. */
function roundUsd(nanoUsd: number): number {
  const usd = (2 * nanoUsd) / 1e9;
  return usd >= 0.01 ? Math.ceil(usd * 100) / 100 : usd;
}
