import type { AnalyzedSignal } from '../analysis/analyzed-signal.ts';
import type { Detector } from '../detector.ts';
import { InvalidOptionError } from '../errors.ts';
import { quotation } from '../excerpt.ts';
import type { Finding } from '../finding.ts';
import type { JsonValue } from '../json.ts';
import { checkNames, finite, integer, type OptionNames, reading } from '../options.ts';
import { count, list, nullable, number, record, text } from '../state/codec.ts';

/** A text that ends the run when somebody says it and nothing else. */
export interface StopText {
  /** What is said, without outer white space. */
  readonly text: string;
  /** Whose word counts; anybody's if missing. */
  readonly from?: readonly string[];
}

/** How often two agents may follow each other. */
export interface SamePair {
  /** The same speaker after the same speaker so many times trips. At least 2. */
  readonly times: number;
  /**
   * How many of the latest turns are looked at.
   * @defaultValue 20
   */
  readonly windowTurns?: number;
}

/**
 * Limits that a user declares. They hold whether the team makes progress or not; what is missing sets no limit. The one
 * that reaches a limit is the last one.
 */
export interface LimitOptions {
  /** Messages in all, nested chats included. At least 1. */
  readonly maxMessages?: number;
  /** Messages of the outermost conversation. At least 1. */
  readonly maxTurns?: number;
  /** Model calls that ended, with success or without. At least 1. */
  readonly maxModelCalls?: number;
  /** Tool calls and code runs in all. At least 1. */
  readonly maxToolCalls?: number;
  /** Failing tool calls and code runs in a row, whatever their errors. At least 1. */
  readonly maxFailuresInARow?: number;
  /** The same pair of speakers again and again. */
  readonly samePair?: SamePair;
  /** Tokens of a prompt, as reported; where none was reported, an estimate of all that was said. At least 1. */
  readonly maxHistoryTokens?: number;
  /** How many times as long as the first five prompts the latest five may be on average. Above 1. */
  readonly maxHistoryRatio?: number;
  /** Milliseconds the run may take, waiting for people not counted. Exceeding it trips at the next signal. At least 1. */
  readonly maxRunMs?: number;
  /** Messages that end the run. Outer white space aside, the message must be exactly the text. */
  readonly stopTexts?: readonly StopText[];
}

/** How many prompts an average is taken over. */
const PROMPTS = 5;
const MAX_WINDOW = 10_000;

interface Counters {
  messages: number;
  turns: number;
  modelCalls: number;
  toolCalls: number;
  /** Failures in a row. */
  failures: number;
  /** Tokens of all that was said, estimated. */
  tokens: number;
  /** Sizes of the first few prompts and of the latest few. */
  firstPrompts: readonly number[];
  latestPrompts: readonly number[];
  /** The latest speakers. */
  speakers: readonly string[];
  startedAt: number | null;
  waitedMs: number;
}

const COUNTERS = record<Counters>({
  messages: count,
  turns: count,
  modelCalls: count,
  toolCalls: count,
  failures: count,
  tokens: number,
  firstPrompts: list(number, PROMPTS),
  latestPrompts: list(number, PROMPTS),
  speakers: list(text, MAX_WINDOW),
  startedAt: nullable(number),
  waitedMs: number,
});

const PAIR_NAMES: OptionNames<SamePair> = { times: true, windowTurns: true };

/** What was counted, with its name and the limit that it has reached or exceeded. */
type Reached = readonly [subject: string, count: number, limit: number, unquoted?: string];

/** Trips when a limit that a user declared is reached. */
export class LimitDetector implements Detector {
  readonly kind = 'limit';
  readonly #max: Readonly<Record<CountedLimit, number>>;
  readonly #maxRatio: number;
  readonly #maxRunMs: number;
  readonly #pairTimes: number;
  readonly #windowTurns: number;
  readonly #stopTexts: readonly StopText[];
  #counters: Counters = start();

  /** @throws {@link InvalidOptionError} */
  constructor(given: LimitOptions = {}) {
    const expected = 'an object that can be read';
    const options = reading('options', expected, given, () => limitsOf(given));
    const { maxHistoryRatio, maxRunMs, samePair, stopTexts = [] } = options;
    if (samePair !== undefined) checkNames('samePair', samePair, PAIR_NAMES);
    this.#max = Object.fromEntries(
      COUNTED.map((name) => [name, ifGiven(options[name], (max) => integer(name, max, 1))]),
    ) as Record<CountedLimit, number>;
    this.#maxRatio = ifGiven(maxHistoryRatio, (ratio) => finite('maxHistoryRatio', ratio, 1));
    this.#maxRunMs = ifGiven(maxRunMs, (ms) => finite('maxRunMs', ms, 1));
    this.#pairTimes = ifGiven(samePair?.times, (n) => integer('samePair.times', n, 2, MAX_WINDOW));
    const window = integer('samePair.windowTurns', samePair?.windowTurns ?? 20, 2, MAX_WINDOW);
    this.#windowTurns = samePair === undefined ? 0 : window;
    this.#stopTexts = reading('stopTexts', STOP_TEXTS, stopTexts, () =>
      [...stopTexts].map(stopTextOf),
    );
  }

  observe(step: AnalyzedSignal): Finding | undefined {
    const { signal, index } = step;
    this.#count(step);
    const reached = this.#reached(step);
    if (reached === undefined) return undefined;
    const [subject, reachedCount, limit, unquoted = subject] = reached;
    const reasonOf = (what: string): string =>
      `the declared limit is reached: ${what}, ${reachedCount} of ${limit}`;
    return {
      level: 'trip',
      kind: this.kind,
      reason: reasonOf(subject),
      evidence: { agents: [signal.agent], indices: [index], count: reachedCount, limit, subject },
      unquoted: { reason: reasonOf(unquoted), subject: unquoted },
    };
  }

  /** Milliseconds of run time that are left at `now`; `undefined` if none is declared or the run has not begun. */
  remainingMs(now: number): number | undefined {
    const { startedAt, waitedMs } = this.#counters;
    if (startedAt === null || this.#maxRunMs === Number.POSITIVE_INFINITY) return undefined;
    return this.#maxRunMs - (now - startedAt - waitedMs);
  }

  /** The finding of a run that has taken more time than declared at `now`. */
  overtime(now: number): Finding | undefined {
    const remainingMs = this.remainingMs(now);
    if (remainingMs === undefined || remainingMs > 0) return undefined;
    const count = this.#maxRunMs - remainingMs;
    return {
      level: 'trip',
      kind: this.kind,
      reason: `the declared limit is reached: run time in ms, ${count} of ${this.#maxRunMs}`,
      evidence: {
        agents: [],
        indices: [],
        count,
        limit: this.#maxRunMs,
        subject: 'run time in ms',
      },
    };
  }

  reset(): void {
    this.#counters = start();
  }

  /** Counts from 0 again, for a run that began at this time; by default it begins with its first signal. */
  begin(at: number | null = null): void {
    this.#counters = { ...start(), startedAt: at };
  }

  snapshot(): JsonValue {
    return COUNTERS.write(this.#counters);
  }

  /** @throws {@link InvalidSnapshotError} */
  restore(snapshot: JsonValue): void {
    this.#counters = { ...COUNTERS.read('limit', snapshot) };
  }

  #reached({ signal, overdue }: AnalyzedSignal): Reached | undefined {
    if (overdue !== undefined) {
      const { tool, waitedMs, maxWaitMs } = overdue;
      return [
        `ms of waiting for ${quotation(tool)}`,
        waitedMs,
        maxWaitMs,
        'ms of waiting for a tool',
      ];
    }
    const { messages, turns, modelCalls, toolCalls, failures, startedAt, waitedMs } =
      this.#counters;
    const runMs = signal.at - (startedAt ?? signal.at) - waitedMs;
    if (runMs > this.#maxRunMs) return ['run time in ms', runMs, this.#maxRunMs];
    const max = this.#max;
    const history = this.#history();
    if (history > max.maxHistoryTokens) return ['tokens of history', history, max.maxHistoryTokens];
    switch (signal.kind) {
      case 'usage': {
        if (modelCalls >= max.maxModelCalls) {
          return ['number of model calls', modelCalls, max.maxModelCalls];
        }
        const ratio = this.#ratio();
        return ratio > this.#maxRatio ? ['history ratio', ratio, this.#maxRatio] : undefined;
      }
      case 'tool-call':
      case 'execution':
        if (toolCalls >= max.maxToolCalls)
          return ['number of tool calls', toolCalls, max.maxToolCalls];
        if (failures < max.maxFailuresInARow) return undefined;
        return ['failures in a row', failures, max.maxFailuresInARow];
      case 'message': {
        if (messages >= max.maxMessages) return ['number of messages', messages, max.maxMessages];
        if (turns >= max.maxTurns) return ['number of turns', turns, max.maxTurns];
        const times = this.#pairs();
        if (times >= this.#pairTimes) return ['turns of the same pair', times, this.#pairTimes];
        const said = signal.text.trim();
        const stopText = this.#stopTexts.find(
          (one) => one.text === said && (one.from?.includes(signal.agent) ?? true),
        );
        return stopText && [`stop text ${quotation(stopText.text)}`, 1, 1, 'a stop text'];
      }
      default:
        return undefined;
    }
  }

  #count({ signal, failure, tokens }: AnalyzedSignal): void {
    const counters = this.#counters;
    counters.startedAt ??= signal.at;
    counters.tokens += tokens;
    switch (signal.kind) {
      case 'human-input': {
        // A wait that began before the run, or beside another one, has taken no more time than has passed.
        const passedMs = Math.max(0, signal.at - counters.startedAt - counters.waitedMs);
        counters.waitedMs += Math.min(signal.waitedMs ?? 0, passedMs);
        return;
      }
      case 'message':
        counters.messages++;
        if ((signal.depth ?? 0) === 0) counters.turns++;
        if (this.#windowTurns > 0) {
          counters.speakers = [...counters.speakers, signal.agent].slice(-this.#windowTurns);
        }
        return;
      case 'tool-call':
      case 'execution':
        counters.toolCalls++;
        counters.failures = failure === undefined ? 0 : counters.failures + 1;
        return;
      case 'usage':
        counters.modelCalls++;
        this.#countPrompt(signal.inputTokens);
        return;
      default:
    }
  }

  #countPrompt(tokens: number): void {
    const counters = this.#counters;
    if (tokens === 0) return;
    if (counters.firstPrompts.length < PROMPTS) {
      counters.firstPrompts = [...counters.firstPrompts, tokens];
    }
    counters.latestPrompts = [...counters.latestPrompts, tokens].slice(-PROMPTS);
  }

  #history(): number {
    return this.#counters.latestPrompts.at(-1) ?? this.#counters.tokens;
  }

  #ratio(): number {
    const { firstPrompts, latestPrompts, modelCalls } = this.#counters;
    if (modelCalls < 2 * PROMPTS) return 0;
    // There are as many of either, so that the quotient of their sums is that of their averages.
    return sum(latestPrompts) / Math.max(1, sum(firstPrompts));
  }

  /** How often the latest speaker has followed the one before among the latest turns. */
  #pairs(): number {
    const { speakers } = this.#counters;
    const [from, to] = speakers.slice(-2);
    if (from === to) return 0;
    return speakers.filter((speaker, i) => speaker === from && speakers[i + 1] === to).length;
  }
}

const STOP_TEXTS = "an array such as [{ text: 'DONE' }] or [{ text: 'DONE', from: ['critic'] }]";
const STOP_TEXT_NAMES: OptionNames<StopText> = { text: true, from: true };

function stopTextOf(one: StopText): StopText {
  if (typeof one !== 'object') throw new InvalidOptionError('stopTexts', STOP_TEXTS, one);
  checkNames('stopTexts', one, STOP_TEXT_NAMES);
  const { text: said, from } = one;
  if (typeof said !== 'string' || said.trim() === '') {
    throw new InvalidOptionError('stopTexts', 'texts with a word in them', said);
  }
  return { text: said.trim(), ...(from && { from: [...from] }) };
}

/** The limits alone: the detector is given all options of a breaker. */
function limitsOf(options: LimitOptions): LimitOptions {
  if (typeof options !== 'object') throw new InvalidOptionError('options', 'an object', options);
  return Object.fromEntries(LIMITS.map((name) => [name, options[name]])) as LimitOptions;
}

const LIMITS = [
  'maxMessages',
  'maxTurns',
  'maxModelCalls',
  'maxToolCalls',
  'maxFailuresInARow',
  'samePair',
  'maxHistoryTokens',
  'maxHistoryRatio',
  'maxRunMs',
  'stopTexts',
] as const satisfies readonly (keyof LimitOptions)[];

const COUNTED = [
  'maxMessages',
  'maxTurns',
  'maxModelCalls',
  'maxToolCalls',
  'maxFailuresInARow',
  'maxHistoryTokens',
] as const;
type CountedLimit = (typeof COUNTED)[number];

function start(): Counters {
  return {
    messages: 0,
    turns: 0,
    modelCalls: 0,
    toolCalls: 0,
    failures: 0,
    tokens: 0,
    firstPrompts: [],
    latestPrompts: [],
    speakers: [],
    startedAt: null,
    waitedMs: 0,
  };
}

function ifGiven(value: number | undefined, check: (value: number) => number): number {
  return value === undefined ? Number.POSITIVE_INFINITY : check(value);
}

function sum(sizes: readonly number[]): number {
  return sizes.reduce((total, size) => total + size, 0);
}
