import type { JsonValue } from '../json.ts';
import { finite, integer } from '../options.ts';
import type { HumanInputSignal, Signal } from '../signal/signal.ts';
import { estimateTokens } from '../token-estimate.ts';
import { CallReader } from './calls/call-reader.ts';
import { Polls } from './calls/polls.ts';
import { type CheckedTool, checkTools, type ToolOptions } from './calls/tool-options.ts';
import { readOutcome } from './failures/failure.ts';
import { readHandOver } from './hand-over-reader.ts';
import { Memory, OTHER_FAILURE } from './memory.ts';
import { MessageReader } from './message-reader.ts';
import { NestedTexts } from './nested-texts.ts';
import { Pace } from './pace.ts';
import { restoredNumber, restoredRecord } from './restored.ts';
import { readRun } from './run-reader.ts';
import type { Reading, Step } from './step.ts';
import { FactRate } from './text/fact-rate.ts';

/** Options of {@link Analyzer}. */
export interface AnalyzerOptions {
  /**
   * Names of fields, at any depth, that do not count when calls and results are compared. Ids per call and points in
   * time are left out of results without being named.
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
   * Words of news that make a short message progress. Fewer let more talk pass.
   * @defaultValue 10
   */
  readonly newsWords?: number;
  /**
   * Share of news in the content of a long message that makes it progress. Less lets more talk pass.
   * @defaultValue 0.6
   */
  readonly newsShare?: number;
  /**
   * Milliseconds without any step that are a wait, so that the next call of a tool begins anew. What is much longer
   * than the team's usual pace is a wait only.
   * @defaultValue 15_000
   */
  readonly waitMs?: number;
}

const MAX_HORIZON_TURNS = 1_000_000;
/** From here on a step brought nothing worth the name. */
const NOTHING_NEW = 0.95;
/** What a nested chat that comes back takes off the idle turns. */
const NESTED_RESULT_TURNS = 2;
/** So many kinds of errors in a row may be causes that are dealt with one after the other. */
const MAX_NEW_ERRORS = 8;

/**
 * Reads each signal once for all detectors: what was done, whether it failed, and how much it brought.
 *
 * @example
 * ```ts
 * const analyzer = new Analyzer();
 * const said = { kind: 'message', at: 0, agent: 'a', text: 'The total is 42 euros.' } as const;
 * analyzer.observe(said).isProgress; // => true
 * analyzer.observe(said).isProgress; // => false
 * ```
 */
export class Analyzer {
  readonly #memory: Memory;
  readonly #messages: MessageReader;
  readonly #nested: NestedTexts;
  readonly #calls: CallReader;
  readonly #tools: ReadonlyMap<string, CheckedTool>;
  readonly #polls: Polls = new Polls();
  readonly #pace: Pace;
  readonly #facts: FactRate = new FactRate();
  #index = 0;
  #idleTurns = 0;
  #idleSince = 0;
  /** How many errors in a row were news, with no other progress in between. */
  #newErrors = 0;

  /** @throws {@link InvalidOptionError} */
  constructor(options: AnalyzerOptions = {}) {
    const { volatileFields = [], tools = {}, horizonTurns = 10, waitMs = 15_000 } = options;
    const { newsWords = 10, newsShare = 0.6 } = options;
    this.#memory = new Memory(integer('analysis.horizonTurns', horizonTurns, 1, MAX_HORIZON_TURNS));
    this.#messages = new MessageReader(this.#memory, {
      words: finite('analysis.newsWords', newsWords, 0.1),
      share: finite('analysis.newsShare', newsShare, 0.01, 1),
    });
    this.#nested = new NestedTexts(newsShare);
    this.#tools = checkTools(tools, volatileFields);
    this.#calls = new CallReader(this.#memory, this.#tools, volatileFields);
    this.#pace = new Pace(finite('analysis.waitMs', waitMs, 0));
  }

  /** Takes the next signal in. Never throws on a valid signal. */
  observe(signal: Signal): Step {
    const index = this.#index++;
    if (signal.kind === 'model-request') this.#pace.request(signal.at);
    if (signal.kind === 'usage') this.#pace.answer(signal.at);
    const isBookkeeping =
      signal.kind === 'model-request' || signal.kind === 'usage' || signal.kind === 'selection';
    const isAfterWait = !isBookkeeping && this.#pace.step(signal);
    if (!isBookkeeping) this.#memory.begin();
    const reading = this.#read(signal);
    const { deed, said, failure, success, overdue, isChange, isNestedNews } = reading;
    const idleness = this.#idlenessOf(reading);
    if (deed !== undefined) this.#facts.take(hasFact(reading), idleness === 0);
    const isPerson = signal.kind === 'human-input' && signal.decision !== 'timeout';
    const isRepeat = Boolean(deed?.repeats) || said?.isEcho === true;
    const isNew = idleness !== undefined && idleness < NOTHING_NEW && !isRepeat;
    if (isPerson || isAfterWait || idleness === 0) {
      this.#idleTurns = 0;
      this.#idleSince = index;
    } else if (idleness !== undefined) {
      this.#idleTurns += idleness;
    }
    return {
      index,
      signal,
      // Field by field: spreading takes a tenth of all the time that a step takes.
      deed,
      said,
      failure,
      success,
      overdue,
      isChange,
      idleness,
      isNestedNews,
      isProgress: isPerson || isNew,
      isPerson,
      isAfterWait,
      idleTurns: this.#idleTurns,
      idleSince: this.#idleSince,
      tokens: signal.kind === 'tool-call' ? this.#calls.tokens : estimateTokens(textOf(signal)),
    };
  }

  /** Forgets everything: equal to a new analyzer with the same options. */
  reset(): void {
    this.#memory.clear();
    this.#messages.clear();
    this.#nested.clear();
    this.#calls.clear();
    this.#polls.clear();
    this.#pace.clear();
    this.#facts.clear();
    this.#index = 0;
    this.#idleTurns = 0;
    this.#idleSince = 0;
    this.#newErrors = 0;
  }

  /** The whole state as plain JSON. */
  snapshot(): JsonValue {
    return {
      index: this.#index,
      idleTurns: this.#idleTurns,
      idleSince: this.#idleSince,
      newErrors: this.#newErrors,
      memory: this.#memory.snapshot(),
      messages: this.#messages.snapshot(),
      nested: this.#nested.snapshot(),
      calls: this.#calls.snapshot(),
      polls: this.#polls.snapshot(),
      pace: this.#pace.snapshot(),
      facts: this.#facts.snapshot(),
    };
  }

  /**
   * Takes an {@link Analyzer.snapshot} back.
   * @throws {@link InvalidSnapshotError} naming what is wrong with it.
   */
  restore(snapshot: JsonValue): void {
    const state = restoredRecord('analysis', snapshot);
    this.#index = restoredNumber('analysis.index', state.index);
    this.#idleTurns = restoredNumber('analysis.idleTurns', state.idleTurns);
    this.#idleSince = restoredNumber('analysis.idleSince', state.idleSince);
    this.#newErrors = restoredNumber('analysis.newErrors', state.newErrors);
    this.#memory.restore('analysis.memory', state.memory);
    this.#messages.restore('analysis.messages', state.messages);
    this.#nested.restore('analysis.nested', state.nested);
    this.#calls.restore('analysis.calls', state.calls);
    this.#polls.restore('analysis.polls', state.polls);
    this.#pace.restore('analysis.pace', state.pace);
    this.#facts.restore('analysis.facts', state.facts);
  }

  #read(signal: Signal): Reading {
    const memory = this.#memory;
    switch (signal.kind) {
      case 'message':
        return this.#messages.read(signal, this.#index - 1, this.#facts.rate);
      case 'tool-call': {
        const { command, ...reading } = this.#calls.read(signal);
        this.#messages.note(signal.agent);
        const polls = this.#tools.get(signal.tool)?.polls;
        if (polls === undefined || reading.deed === undefined) return reading;
        const poll = this.#polls.observe(signal, command, reading.deed.key, polls);
        if (poll.isWaiting) return readOutcome(signal, command);
        return poll.overdue ? { ...reading, overdue: poll.overdue } : reading;
      }
      case 'execution':
        this.#messages.note(signal.agent);
        return readRun(signal, memory);
      case 'human-input':
        return this.#readPerson(signal);
      case 'handoff':
        this.#messages.note(signal.agent);
        return readHandOver(signal, memory, this.#facts.rate);
      case 'nested-end':
        this.#idleTurns = Math.max(0, this.#idleTurns - NESTED_RESULT_TURNS);
        memory.reader.read(signal.text ?? '');
        memory.take();
        return {
          isNestedNews: this.#nested.isOtherResult(signal.agent, memory.reader, this.#facts.rate),
        };
      case 'nested-start':
        // A chat without a task is told from others by its name.
        memory.reader.read(signal.text ?? signal.chatId);
        memory.take();
        return { isNestedNews: this.#nested.isOtherTask(signal.agent, memory.reader) };
      case 'usage':
        return readOutcome(signal, 0);
      default:
        return {};
    }
  }

  /** How idle a step is. Another error each time is news too, but nobody gets anywhere by errors alone. */
  #idlenessOf({ idleness, failure }: Reading): number | undefined {
    if (idleness !== 0) return idleness;
    this.#newErrors = failure === undefined ? 0 : this.#newErrors + 1;
    return this.#newErrors > MAX_NEW_ERRORS ? OTHER_FAILURE : 0;
  }

  #readPerson({ text, decision, agent }: HumanInputSignal): Reading {
    this.#memory.reader.read(text ?? '');
    this.#memory.take();
    if (decision === 'timeout') return { idleness: 1 };
    this.#memory.settle();
    this.#messages.settle();
    this.#nested.clear();
    this.#messages.note(agent);
    return { idleness: 0 };
  }
}

/** What a signal adds to the history, as far as it is text. */
function textOf(signal: Signal): string {
  switch (signal.kind) {
    case 'message':
      return signal.text;
    case 'execution':
      return signal.output;
    case 'human-input':
    case 'handoff':
    case 'nested-start':
    case 'nested-end':
      return signal.text ?? '';
    default:
      return '';
  }
}

/** Whether a turn holds a name, a number, or the result of a call or a run. */
function hasFact({ deed, said, failure }: Reading): boolean {
  if (deed?.type === 'called' || deed?.type === 'ran') return failure === undefined;
  return said !== undefined && said.figures > 0;
}
