import { cleanText } from '../excerpt.ts';
import type { BuiltInKind, FindingKind } from '../finding.ts';

const KIND_LENGTH = 60;

/** What answers a false alarm of each kind, with the defaults in brackets: the short form of the tuning guide. */
const ADVICE: Readonly<Record<BuiltInKind, string>> = {
  'speaker-cycle':
    "If this was no loop, set sensitivity: 'low', raise speakerCycle.stopAt (4.5) or speakerCycle.limit (3), or give the breaker a judge.",
  repetition:
    'If this was no loop, raise repetition.limit (3) or repetition.stopAt (4.5); declare a tool that is polled under analysis.tools.',
  'execution-storm':
    'If these failures are part of the work, raise executionStorm.sameErrorLimit (3) and executionStorm.limit (5).',
  'history-drift':
    'If turns have to grow, raise historyDrift.ratio (3), or set historyDrift: false.',
  'nested-cascade':
    'If so many nested chats are meant, raise nestedCascade.limit (3), nestedCascade.maxDepth (5) or nestedCascade.maxTotal (50).',
  rate: 'If this pace is all right, lower rate.pauseMs (1000), raise rate.limit (5), or raise what rate.rates declares.',
  budget: 'To go on, call breaker.raise({ maxUsd: … }) or breaker.raise({ maxTokens: … }).',
  'context-window':
    'To go on, shorten the history and call breaker.reset(); if the model takes more, correct contextWindow.maxContextTokens.',
  limit: 'To go on with the same limits, call breaker.reset().',
  manual: 'Somebody stopped the team by hand: to go on, call breaker.reset().',
};

/** What to do if a trip of this kind was a false alarm. @internal */
export function falseAlarmAdvice(kind: FindingKind): string {
  if (Object.hasOwn(ADVICE, kind)) return ADVICE[kind as BuiltInKind];
  const name = cleanText(kind, KIND_LENGTH);
  return `If this was a false alarm, change the detector of '${name}', or only warn of it: reaction: { '${name}': 'warn' }.`;
}
