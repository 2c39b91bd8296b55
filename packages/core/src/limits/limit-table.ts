import type { SignalKind } from '../signal/signal.ts';
import { SIGNAL_KINDS } from '../signal/signal-fields.ts';
import type { CheckedLimits } from './limit-options.ts';
import type { RunCounts } from './run-counts.ts';

/** A declared limit of a run. */
export interface Limit {
  /** What it counts, in reasons. */
  readonly subject: string;
  readonly max: number;
  /** The signals after which it is looked at. */
  readonly after: readonly SignalKind[];
  /** The count so far, at this time. */
  readonly count: (at: number) => number;
  /** Whether the count may equal `max`. */
  readonly isInclusive?: true;
  /** Whether it counts steps, which take their place when they are admitted. */
  readonly isOfSteps?: true;
  /** Whether it counts in the outermost conversation only. */
  readonly isOutermost?: true;
}

export const RUN_TIME = 'run time in ms';

const CALLS = ['tool-call', 'execution'] as const;

/** The limits that are declared. If a signal reaches several, the first gives the reason. */
export function limitsOf(checked: CheckedLimits, counts: RunCounts): readonly Limit[] {
  const { samePair } = checked;
  const all: readonly Limit[] = [
    {
      subject: RUN_TIME,
      max: checked.maxRunMs,
      after: SIGNAL_KINDS,
      count: (at) => counts.runMs(at) ?? 0,
      isInclusive: true,
    },
    {
      subject: 'tokens of history',
      max: checked.maxTokens,
      after: SIGNAL_KINDS,
      count: () => counts.historyTokens,
      isInclusive: true,
    },
    {
      subject: 'number of model calls',
      max: checked.maxModelCalls,
      after: ['usage'],
      count: () => counts.all.modelCalls,
      isOfSteps: true,
    },
    {
      subject: 'history ratio',
      max: checked.maxRatio,
      after: ['usage'],
      count: () => counts.historyRatio,
      isInclusive: true,
    },
    {
      subject: 'number of tool calls',
      max: checked.maxToolCalls,
      after: CALLS,
      count: () => counts.all.toolCalls,
      isOfSteps: true,
    },
    {
      subject: 'failures in a row',
      max: checked.maxInARow,
      after: CALLS,
      count: () => counts.all.failures,
    },
    {
      subject: 'number of messages',
      max: checked.maxMessages,
      after: ['message'],
      count: () => counts.all.messages,
      isOfSteps: true,
    },
    {
      subject: 'number of turns',
      max: checked.maxTurns,
      after: ['message'],
      count: () => counts.all.turns,
      isOfSteps: true,
      isOutermost: true,
    },
    {
      subject: `turns of the same pair${samePair?.withoutNews ? ' without news' : ''}`,
      max: samePair?.times ?? Number.POSITIVE_INFINITY,
      after: ['message'],
      count: () => counts.samePairs,
    },
  ];
  return all.filter(({ max }) => max !== Number.POSITIVE_INFINITY);
}
