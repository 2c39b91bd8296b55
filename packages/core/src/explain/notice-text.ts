import { DETECTOR_SPECS } from '../detection/detectors/default-detectors.ts';
import type { Finding, FindingKind } from '../detection/finding.ts';

/** Whether the team is told of a finding, why a call of its was refused, or that it is stopped and this is its last answer. */
export type NoticeCause = 'told' | 'refused' | 'stopped';

/** No progress takes their findings away. */
const DECLARED: readonly FindingKind[] = ['limit', 'budget'];
const ENDINGS: Readonly<Record<Exclude<NoticeCause, 'stopped'>, string>> = {
  told: 'Bring the task to an end in time, or say what you have found so far.',
  refused: 'Go on without it, or say what you have found so far.',
};
const ANY_PROGRESS = 'anything that has not been said or tried';

const LAST_WORDS =
  'This is its last answer, and no tool can be called. Write up what you have found, and what is still open.';

/**
 * What a guard tells the team of a finding: the reason, which names the evidence, and what would count as progress. Guards take
 * their user's text instead, if there is one.
 */
export function noticeText(
  { kind, reason }: Pick<Finding, 'kind' | 'reason'>,
  cause: NoticeCause = 'told',
): string {
  if (cause === 'stopped') return `The team was stopped: ${reason}. ${LAST_WORDS}`;
  const opening = cause === 'told' ? 'Notice' : 'This call was refused';
  if (DECLARED.includes(kind)) return `${opening}: ${reason}. ${ENDINGS[cause]}`;
  const progress = DETECTOR_SPECS.find((spec) => spec.kind === kind)?.progress ?? ANY_PROGRESS;
  const ending = 'Otherwise say what you have found so far, or that the task cannot be finished.';
  return `${opening}: ${reason}. Progress is ${progress}. ${ending}`;
}
