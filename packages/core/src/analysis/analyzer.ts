import type { JsonValue } from '../json.ts';
import { ANSWER_MS, ENOUGH_WORDS, HALF_STALE } from '../judgement.ts';
import { checkNames, finite, integer, namesOf, type OptionNames } from '../options.ts';
import type {
  HandoffSignal,
  HumanInputSignal,
  NestedEndSignal,
  NestedStartSignal,
  Signal,
} from '../signal/signal.ts';
import { count, readParts, recordAt, type Stateful, writeParts } from '../state/codec.ts';
import { type AnalyzedSignal, isBookkeeping, type SignalFeatures } from './analyzed-signal.ts';
import { CallReader } from './calls/call-reader.ts';
import { Polls } from './calls/polls.ts';
import { type CheckedTool, checkTools, type ToolOptions } from './calls/tool-options.ts';
import { readOutcome } from './failures/failure.ts';
import { hashText, mixHash } from './hash.ts';
import { IdleGapTracker } from './idle-gap-tracker.ts';
import { Memory } from './memory.ts';
import { MessageReader } from './message-reader.ts';
import { NO_SUSPICION } from './suspicion.ts';
import { SuspicionScore } from './suspicion-score.ts';
import { estimateTokens } from './token-estimate.ts';
import { WordStaleness } from './word-staleness.ts';

/** Options of {@link Analyzer}. */
export interface AnalyzerOptions {
  /**
   * Names of fields, at any depth, that do not count when calls and results are compared. Times to the second, durations,
   * hashes and random ids are left out without being named.
   */
  readonly volatileFields?: readonly string[];
  /** What tools declare about themselves, by their names. */
  readonly tools?: Readonly<Record<string, ToolOptions>>;
  /**
   * Turns after which a word counts as new again. More finds loops with longer rounds, and trusts long conversations
   * less.
   * @defaultValue 10
   */
  readonly horizonTurns?: number;
  /**
   * Milliseconds without any step that are a wait, so that the next call of a tool begins anew. What is much longer
   * than the team's usual pause is a wait only.
   * @defaultValue 15_000
   */
  readonly waitMs?: number;
}

const NAMES: OptionNames<AnalyzerOptions> = {
  volatileFields: true,
  tools: true,
  horizonTurns: true,
  waitMs: true,
};
const MAX_HORIZON_TURNS = 1_000_000;
const HAND_OVER = 3;
const PERSON = 4;
/**
 * Reads each signal once for all detectors: what was done, whether it failed, and how stale it is.
 *
 * @example
 * ```ts
 * const analyzer = new Analyzer();
 * const said = { kind: 'message', at: 0, agent: 'a', text: 'The total is 42 euros.' } as const;
 * analyzer.observe(said).staleness; // => 0
 * analyzer.observe(said).staleness; // => 0.5
 * analyzer.observe(said).staleness; // => 1
 * ```
 */
export class Analyzer {
  readonly #memory: Memory;
  readonly #words: WordStaleness = new WordStaleness();
  readonly #messages: MessageReader;
  readonly #calls: CallReader;
  readonly #tools: ReadonlyMap<string, CheckedTool>;
  readonly #polls: Polls = new Polls();
  readonly #pace: IdleGapTracker;
  readonly #suspicion: SuspicionScore = new SuspicionScore();
  readonly #parts: Readonly<Record<string, Stateful>>;
  #index = 0;

  /** @throws {@link InvalidOptionError} */
  constructor(options: AnalyzerOptions = {}) {
    checkNames('analysis', options, NAMES);
    const { volatileFields: fields = [], tools = {}, horizonTurns = 10, waitMs = 15_000 } = options;
    const volatileFields = namesOf('analysis.volatileFields', fields);
    this.#memory = new Memory(integer('analysis.horizonTurns', horizonTurns, 1, MAX_HORIZON_TURNS));
    this.#messages = new MessageReader(this.#memory, this.#words);
    this.#tools = checkTools(tools, volatileFields);
    this.#calls = new CallReader(this.#memory, this.#tools, volatileFields);
    this.#pace = new IdleGapTracker(finite('analysis.waitMs', waitMs, 0));
    this.#parts = {
      memory: this.#memory,
      words: this.#words,
      messages: this.#messages,
      polls: this.#polls,
      pace: this.#pace,
      suspicion: this.#suspicion,
    };
  }

  /** Takes the next signal in. Never throws on a valid signal. */
  observe(signal: Signal): AnalyzedSignal {
    const index = this.#index++;
    const memory = this.#memory;
    if (signal.kind === 'model-request') this.#pace.request(signal.at);
    if (signal.kind === 'usage') this.#pace.answer(signal.at);
    const isStep = !isBookkeeping(signal);
    const isAfterWait = isStep && this.#pace.step(signal);
    if (isStep) memory.begin(index);
    if (isAfterWait) memory.waitedAt = index;
    const reading = this.#read(signal);
    const isPerson = reading.isPerson === true;
    const { action, failure, success, overdue, staleness, sameness, recurrence } = reading;
    const tokens = reading.tokens ?? estimateTokens(textOf(signal));
    if (isPerson || isAfterWait) this.#suspicion.settle();
    if (action !== undefined) this.#words.take(reading.hasFact === true, staleness === 0);
    const isProgress = isPerson || (staleness !== undefined && staleness < HALF_STALE);
    if (isProgress) memory.newsAt = index;
    const suspicion = isPerson
      ? NO_SUSPICION
      : this.#suspicion.take(signal, reading, index, tokens);
    return {
      // Field by field: spreading takes a tenth of all the time that a step takes.
      index,
      signal,
      action,
      failure,
      success,
      overdue,
      staleness,
      sameness,
      recurrence,
      selfRepetitions: reading.selfRepetitions,
      carries: reading.carries,
      isNestedNews: reading.isNestedNews,
      isProgress,
      isPerson,
      isAfterWait,
      suspicion,
      tokens,
    };
  }

  /** Forgets everything: equal to a new analyzer with the same options. */
  reset(): void {
    this.#memory.clear();
    this.#words.clear();
    this.#messages.clear();
    this.#polls.clear();
    this.#pace.clear();
    this.#suspicion.clear();
    this.#index = 0;
  }

  /** The whole state as plain JSON. */
  snapshot(): JsonValue {
    return { index: this.#index, parts: writeParts(this.#parts) };
  }

  /**
   * Takes an {@link Analyzer.snapshot} back.
   * @throws {@link InvalidSnapshotError} naming what is wrong with it.
   */
  restore(snapshot: JsonValue): void {
    const { index, parts } = recordAt('analysis', snapshot);
    readParts('analysis', this.#parts, parts);
    this.#index = count.read('analysis.index', index);
  }

  #read(signal: Signal): SignalFeatures {
    switch (signal.kind) {
      case 'message':
        return this.#messages.read(signal);
      case 'tool-call': {
        const reading = this.#calls.readCall(signal);
        const { polls, isUntrusted } = this.#tools.get(signal.tool) ?? {};
        if (polls === undefined || reading.action === undefined) return reading;
        const poll = this.#polls.observe(signal, reading.command, reading.action.key, polls);
        if (poll.isWaiting) return readOutcome(signal, reading.command, isUntrusted);
        return poll.overdue ? { ...reading, overdue: poll.overdue } : reading;
      }
      case 'execution':
        return this.#calls.readRun(signal);
      case 'human-input':
        return this.#readPerson(signal);
      case 'handoff':
        return this.#readHandOver(signal);
      case 'nested-start':
      case 'nested-end':
        return this.#readNested(signal);
      case 'usage':
        return readOutcome(signal, 0);
      default:
        return {};
    }
  }

  /** A person settles everything before. The same words again, for which nobody had to wait, are those of a program. */
  #readPerson(signal: HumanInputSignal): SignalFeatures {
    const { text = '', decision, waitedMs = 0, isAutomatic = false } = signal;
    const memory = this.#memory;
    memory.reader.read(text);
    memory.take();
    if (decision === 'timeout') return { staleness: 1 };
    const isNew = memory.isNewAsk(mixHash(memory.reader.exact, PERSON));
    if (!isNew && decision === undefined && waitedMs < ANSWER_MS) return {};
    // A new task brings something new, but only a person settles what was before.
    if (isAutomatic) return { staleness: 0 };
    memory.settle();
    return { staleness: 0, isPerson: true };
  }

  #readHandOver({ agent, to, text = '' }: HandoffSignal): SignalFeatures {
    const memory = this.#memory;
    const { reader, sketch, index } = memory;
    reader.read(text);
    sketch.draw(reader);
    const { figures, weight } = memory.take();
    const key = mixHash(mixHash(hashText(agent), hashText(to)), reader.exact);
    const compared = memory.agent(agent).history.compare(
      {
        index,
        channel: HAND_OVER,
        key,
        ask: 0,
        outcome: 0,
        isSameByOutcome: false,
        isWordy: true,
        sketch,
      },
      Math.max(this.#suspicion.since, memory.waitedAt),
    );
    const { earlier, match, sameness, recurrence } = compared;
    return {
      action: { type: 'handed-over', key, subject: to, earlier, match, isTiny: false },
      staleness: figures > 0 ? 0 : Math.max(0, 1 - weight / ENOUGH_WORDS),
      sameness,
      recurrence,
    };
  }

  /**
   * Tasks and results of nested chats are compared with their own kind alone: a result has mostly been said in the chat
   * just before, and is new outside all the same.
   */
  #readNested(signal: NestedStartSignal | NestedEndSignal): SignalFeatures {
    const memory = this.#memory;
    const { reader, values } = memory;
    const isTask = signal.kind === 'nested-start';
    // A chat without a task is told from others by its name.
    reader.read(signal.text ?? (isTask ? signal.chatId : ''));
    memory.take();
    const name = `${signal.kind} ${signal.agent}`;
    const isItem = memory.agent(name).isItem(reader);
    const salt = hashText(name);
    const { numbers, frame } = reader;
    const change = numbers.length > 0 ? values.change(mixHash(salt, frame), numbers) : 'same';
    const { figures, share, content } = memory.take(salt | 0);
    // Another number is another task; a result that only counts up is the same.
    const hasNumbers = isTask ? change !== 'same' && change !== 'first' : change === 'moved';
    const hasFigures = figures > 0 && change !== 'counting';
    const hasWords = content > 0 && share >= 1;
    const isOther = isItem && change !== 'counting';
    return { isNestedNews: isOther || hasNumbers || hasFigures || hasWords };
  }
}

/** What a signal adds to the history, as far as it is text. */
function textOf(signal: Signal): string {
  switch (signal.kind) {
    case 'message':
      return signal.text;
    case 'human-input':
    case 'handoff':
    case 'nested-start':
    case 'nested-end':
      return signal.text ?? '';
    default:
      return '';
  }
}
