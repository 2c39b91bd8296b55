import { named } from '../../common/excerpt.ts';
import { counted, duration, inDigits, times } from '../../common/words.ts';

/** A limit that is reached. */
export interface Reached {
  readonly count: number;
  readonly limit: number;
  /** How many of the counted steps have not ended. */
  readonly underWay: number;
}

/** That a limit is reached, in one sentence that names its option. */
export type LimitReason = (reached: Reached) => string;

/** What limits count, in evidence. */
export type LimitSubject =
  | 'run time in ms'
  | 'tokens of history'
  | 'number of model calls'
  | 'number of tool calls'
  | 'failures in a row'
  | 'number of messages'
  | 'number of turns';

export const LIMIT_REASONS: Readonly<Record<LimitSubject, LimitReason>> = {
  'run time in ms': ({ limit }) =>
    `the run has used up its time limit of ${duration(limit)} (maxRunMs)`,
  'tokens of history': ({ count, limit }) =>
    `the history has grown to ${counted(count, 'token')}; the limit is ${inDigits(limit)} (historyDrift.maxTokens)`,
  'number of model calls': allOf('model call', 'maxModelCalls'),
  'number of tool calls': allOf('tool call', 'maxToolCalls'),
  'failures in a row': ({ count }) =>
    `tool calls or code runs failed ${times(count)} in a row (executionStorm.maxInARow)`,
  'number of messages': allOf('message', 'maxMessages'),
  'number of turns': allOf('turn', 'maxTurns'),
};

/** A tool was called as often as it may be. */
export function toolReason(tool: string): LimitReason {
  return allOf('call', 'limits.tools', ` of ${tool}`);
}

/** Two speakers have followed each other too often. */
export function pairReason([from, to]: readonly [string, string]): LimitReason {
  return ({ count }) =>
    `${named(to)} spoke after ${named(from)} ${times(count)} (speakerCycle.samePair)`;
}

/** A message is a declared stop text. */
export function stopText(text: string): LimitReason {
  return () => `${text} was said (stopTexts)`;
}

/** A tool is polled for too long. */
export function polled(tool: string): LimitReason {
  return ({ limit }) =>
    `${tool} gave the same answer for longer than ${duration(limit)} (polls.maxWaitMs)`;
}

function allOf(thing: string, option: string, whose = ''): LimitReason {
  return ({ count, limit, underWay }) => {
    const open = underWay > 0 ? `, ${inDigits(underWay)} of them still under way` : '';
    const state = count > limit ? `is exceeded by ${inDigits(count - limit)}` : 'is reached';
    return `the limit of ${counted(limit, thing)}${whose} ${state}${open} (${option})`;
  };
}
