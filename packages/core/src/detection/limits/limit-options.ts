import { InvalidOptionError } from '../../common/errors.ts';
import { type OptionTable, readOptions, type WithDefaults } from '../../common/option-table.ts';
import { orInvalid } from '../../common/options.ts';
import { safeName } from '../../signal/parse-signal.ts';
import { givenOf } from '../detectors/built-in-detector.ts';
import type { ExecutionStormOptions } from '../detectors/execution-storm.ts';
import type { HistoryDriftOptions } from '../detectors/history-drift.ts';
import { SAME_PAIR, type SamePair, type SpeakerCycleOptions } from '../detectors/speaker-cycle.ts';

/** A text that ends the run when a message consists of it. */
export interface StopText {
  /** The whole message, without surrounding white space. */
  readonly text: string;
  /** The agents that may say it; all if missing. */
  readonly from?: readonly string[];
}

/** What single tools may do in a run. */
export interface ToolLimits {
  /**
   * Calls of the tool. One beyond them is not made, and gives the reason as its result; the team goes on. Where tools run elsewhere,
   * as behind `guardFetch()`, it stops the run once it has been made.
   */
  readonly maxCalls?: number;
}

/** Limits of single owners. */
export interface OwnerLimits {
  /** Those of single tools, by name; `'*'` stands for each that is not named. An agent that is called as a tool is one. */
  readonly tools?: Readonly<Record<string, ToolLimits>>;
}

/**
 * Declared limits. They apply even if the team makes progress; a missing one does not limit. The step that reaches a limit
 * is the last. Steps count from their admission on, so that a limit also holds for those side by side.
 */
export interface LimitOptions {
  /** Messages, including those of nested chats. */
  readonly maxMessages?: number;
  /** Messages of the outermost conversation. */
  readonly maxTurns?: number;
  /** Model calls that ended, successful or not. */
  readonly maxModelCalls?: number;
  /** Tool calls and code runs. */
  readonly maxToolCalls?: number;
  /** Milliseconds that the run may take, without waiting for people. Exceeding it trips at the next signal or request. */
  readonly maxRunMs?: number;
  /** What single tools may do in a run. */
  readonly limits?: OwnerLimits;
  /**
   * Whether the team is told what is left of its messages, turns, calls, money and tokens: where half of a limit is left, a quarter, an
   * eighth, and the last call or turn.
   * @defaultValue false
   */
  readonly tellLimits?: boolean;
  /** Texts that end the run. A message must equal the text, apart from surrounding white space. */
  readonly stopTexts?: readonly StopText[];
}

/** The limits among the options of detectors. */
export interface DeclaredLimits {
  readonly executionStorm?: ExecutionStormOptions | false;
  readonly historyDrift?: HistoryDriftOptions | false;
  readonly speakerCycle?: SpeakerCycleOptions | false;
}

const TOOL_LIMITS: OptionTable<ToolLimits, keyof ToolLimits> = {
  maxCalls: { type: 'integer', min: 1 },
};
const OWNER_LIMITS: OptionTable<OwnerLimits, keyof OwnerLimits> = {
  tools: { type: 'named', documentedBy: 'ToolLimits', of: TOOL_LIMITS },
};
const STOP_TEXT: OptionTable<StopText, 'from'> = {
  text: { type: 'text', isRequired: true },
  from: { type: 'texts' },
};

/** Limits without a default. */
export type UnsetLimits = Exclude<keyof LimitOptions, 'tellLimits'>;

export const LIMIT_OPTIONS: OptionTable<LimitOptions, UnsetLimits> = {
  maxMessages: { type: 'integer', min: 1 },
  maxTurns: { type: 'integer', min: 1 },
  maxModelCalls: { type: 'integer', min: 1 },
  maxToolCalls: { type: 'integer', min: 1 },
  maxRunMs: { type: 'number', min: 1 },
  limits: { type: 'table', documentedBy: 'OwnerLimits', of: OWNER_LIMITS },
  tellLimits: { type: 'flag', default: false },
  stopTexts: { type: 'tables', documentedBy: 'StopText', of: STOP_TEXT },
};

/** The limits; an undeclared one is infinite. */
export interface CheckedLimits extends Required<Omit<LimitOptions, 'limits'>> {
  /** Most calls of single tools, by name. */
  readonly maxCalls: ReadonlyMap<string, number>;
  readonly maxInARow: number;
  readonly maxTokens: number;
  readonly samePair: WithDefaults<SamePair> | undefined;
}

const NONE = Number.POSITIVE_INFINITY;
const NO_LIMITS = {
  maxMessages: NONE,
  maxTurns: NONE,
  maxModelCalls: NONE,
  maxToolCalls: NONE,
  maxRunMs: NONE,
};

/** @throws {@link InvalidOptionError} naming the option, the expected and the received value. */
export function checkLimits(given: LimitOptions & DeclaredLimits): CheckedLimits {
  const options = orInvalid('options', 'an object that can be read', given, () => picked(given));
  const { executionStorm, historyDrift, speakerCycle, ...own } = options;
  const read = readOptions<LimitOptions, UnsetLimits>('', own, LIMIT_OPTIONS);
  const { stopTexts = [], limits: { tools = {} } = {}, ...limits } = read;
  // The detectors check their own options.
  const { maxInARow = NONE } = givenOf('executionStorm', executionStorm) || {};
  const { maxTokens = NONE } = givenOf('historyDrift', historyDrift) || {};
  const { samePair } = givenOf('speakerCycle', speakerCycle) || {};
  return {
    ...NO_LIMITS,
    ...limits,
    maxCalls: new Map(
      Object.entries(tools).map(([name, { maxCalls = NONE }]) => [safeName(name), maxCalls]),
    ),
    maxInARow,
    maxTokens,
    samePair: samePair && readOptions<SamePair>('speakerCycle.samePair', samePair, SAME_PAIR),
    stopTexts: orInvalid('stopTexts', STOP_TEXTS, stopTexts, () => [...stopTexts].map(stopTextOf)),
  };
}

const STOP_TEXTS = "an array such as [{ text: 'DONE' }] or [{ text: 'DONE', from: ['critic'] }]";

function stopTextOf(one: StopText): StopText {
  if (typeof one !== 'object') throw new InvalidOptionError('stopTexts', STOP_TEXTS, one);
  const { text, from } = readOptions<StopText, 'from'>('stopTexts', one, STOP_TEXT);
  if (text.trim() === '')
    throw new InvalidOptionError('stopTexts', 'texts that are not blank', text);
  return { text: text.trim(), ...(from && { from }) };
}

const DECLARED = ['executionStorm', 'historyDrift', 'speakerCycle'] as const;

/** Picks the limits: the detector gets all options of a breaker. */
function picked(options: LimitOptions & DeclaredLimits): LimitOptions & DeclaredLimits {
  if (typeof options !== 'object') throw new InvalidOptionError('options', 'an object', options);
  const names = [...Object.keys(LIMIT_OPTIONS), ...DECLARED] as readonly (keyof LimitOptions)[];
  return Object.fromEntries(names.map((name) => [name, options[name]]));
}
