import { quotation } from '../../common/excerpt.ts';
import type { WithDefaults } from '../../common/option-table.ts';
import type { SignalKind } from '../../signal/signal.ts';
import { SIGNAL_KINDS } from '../../signal/signal-fields.ts';
import type { SamePair } from '../detectors/speaker-cycle.ts';
import type { CheckedLimits } from './limit-options.ts';
import {
  LIMIT_REASONS,
  type LimitReason,
  type LimitSubject,
  pairReason,
  toolReason,
} from './limit-reasons.ts';
import type { RunCounts } from './run-counts.ts';

/** A declared limit of a run. */
export interface Limit {
  /** What it counts, in evidence. */
  readonly subject: string;
  readonly reason: LimitReason;
  readonly max: number;
  /** The signals after which it is looked at. */
  readonly after: readonly SignalKind[];
  /** The count so far, at this time. */
  readonly count: (at: number) => number;
  /**
   * `steps` take their place when they are admitted; `calls of a tool` do, too, and are refused by themselves. `beyond` and these let
   * the count equal `max`.
   */
  readonly of: 'steps' | 'outermost steps' | 'calls of a tool' | 'signals' | 'beyond';
  /** Subject and reason without anything that was said. */
  readonly unquoted?: { readonly subject: string; readonly reason: LimitReason };
}

type Row = readonly [Limit['after'], Limit['of'], Limit['count']];

const ANY = SIGNAL_KINDS;
const CALLS = ['tool-call', 'execution'] as const;
const NONE = Number.POSITIVE_INFINITY;
export const RUN_TIME = 'run time in ms';

/** The limits that are declared. If a signal reaches several, the first gives the reason. */
export function limitsOf(checked: CheckedLimits, counts: RunCounts): readonly Limit[] {
  const { samePair, maxModelCalls, maxToolCalls, maxMessages, maxTurns, maxInARow } = checked;
  const all: readonly (readonly [LimitSubject, number, ...Row])[] = [
    [RUN_TIME, checked.maxRunMs, ANY, 'beyond', (at) => counts.runMs(at) ?? 0],
    ['tokens of history', checked.maxTokens, ANY, 'beyond', () => counts.historyTokens],
    ['number of model calls', maxModelCalls, ['usage'], 'steps', () => counts.all.modelCalls],
    ['number of tool calls', maxToolCalls, CALLS, 'steps', () => counts.all.toolCalls],
    ['failures in a row', maxInARow, CALLS, 'signals', () => counts.all.failures],
    ['number of messages', maxMessages, ['message'], 'steps', () => counts.all.messages],
    ['number of turns', maxTurns, ['message'], 'outermost steps', () => counts.all.turns],
  ];
  const limits = all.flatMap(([subject, max, after, of, count]) =>
    max === NONE ? [] : { subject, reason: LIMIT_REASONS[subject], max, after, of, count },
  );
  return samePair ? [...limits, pairLimit(samePair, counts)] : limits;
}

/** Whether it counts steps, which take their place when they are admitted. */
export function isOfSteps(of: Limit['of']): boolean {
  return of !== 'signals' && of !== 'beyond';
}

/** The name under which each tool has a limit that has none of its own. */
const ANY_TOOL = '*';

/** The limit of a tool. */
export function toolLimit({ maxCalls }: CheckedLimits, counts: RunCounts, tool: string): Limit {
  const told = quotation(tool);
  return {
    subject: `number of calls of ${told}`,
    reason: toolReason(told),
    max: maxCalls.get(tool) ?? maxCalls.get(ANY_TOOL) ?? NONE,
    after: ['tool-call'],
    of: 'calls of a tool',
    count: () => counts.callsOf(tool),
    unquoted: { subject: 'number of calls of a tool', reason: toolReason('a tool') },
  };
}

function pairLimit({ times }: WithDefaults<SamePair>, counts: RunCounts): Limit {
  return {
    subject: 'turns of the same pair',
    reason: (reached) => pairReason(counts.pair)(reached),
    max: times,
    after: ['message'],
    of: 'signals',
    count: () => counts.samePairs,
  };
}
