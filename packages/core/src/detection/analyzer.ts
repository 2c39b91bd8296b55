import { hashText } from '../common/hash.ts';
import type { JsonValue } from '../common/json.ts';
import { type OptionTable, readOptions } from '../common/option-table.ts';
import { isRefusedCall, type ToolCallRequest } from '../signal/request.ts';
import type { Signal } from '../signal/signal.ts';
import { count, recordAt } from '../state/codec.ts';
import { SavedGroup } from '../state/stateful.ts';
import {
  type AnalyzedSignal,
  isBookkeeping,
  isGivenUp,
  type SignalFeatures,
} from './analyzed-signal.ts';
import { type Ask, CallReader } from './calls/call-reader.ts';
import { Polls } from './calls/polls.ts';
import {
  type CheckedTools,
  checkTools,
  declaredBy,
  TOOL_OPTIONS,
  type ToolOptions,
} from './calls/tool-options.ts';
import { readOutcome } from './failures/failure.ts';
import type { CommandHash } from './hashes.ts';
import { HALF_STALE } from './judgement.ts';
import { InteractionReader } from './steps/interaction-reader.ts';
import type { Laps } from './steps/lap-step.ts';
import { Memory } from './steps/memory.ts';
import { MessageReader } from './steps/message-reader.ts';
import { StepComparer } from './steps/step-comparer.ts';
import { IdleGapTracker } from './suspicion/idle-gap-tracker.ts';
import { NO_SUSPICION, type Suspicion } from './suspicion/suspicion.ts';
import { SuspicionScore, WordStaleness } from './suspicion/suspicion-score.ts';
import { estimateTokens } from './text/token-estimate.ts';

/** Options of {@link Analyzer}. */
export interface AnalyzerOptions {
  /**
   * Names of fields, at any depth, that do not count when calls and results are compared. In
   * results, points in time, durations, hashes and random ids do not count anyway.
   */
  readonly volatileFields?: readonly string[];
  /** What tools declare about themselves, by their names; `'*'` stands for those that are not named. */
  readonly tools?: Readonly<Record<string, ToolOptions>>;
  /**
   * Turns after which a word counts as new again. More finds loops with longer rounds.
   * @defaultValue 10
   */
  readonly horizonTurns?: number;
  /**
   * Milliseconds without any step that are a wait before the call of a tool, so that the suspicion begins anew. Only
   * gaps much longer than usual count as waits.
   * @defaultValue 15_000
   */
  readonly waitMs?: number;
  /**
   * Milliseconds after which a step no longer counts as one that has happened before.
   * @defaultValue 1_800_000
   */
  readonly forgetAfterMs?: number;
  /**
   * Milliseconds that a team may stand still while calls take their time, or are tried again after
   * longer and longer waits.
   * @defaultValue 1_800_000
   */
  readonly patienceMs?: number;
}

type Unset = 'volatileFields' | 'tools';

export const ANALYZER_OPTIONS: OptionTable<AnalyzerOptions, Unset> = {
  volatileFields: { type: 'texts' },
  tools: { type: 'named', documentedBy: 'ToolOptions', of: TOOL_OPTIONS },
  horizonTurns: { type: 'integer', min: 1, max: 1_000_000, default: 10 },
  waitMs: { type: 'number', min: 0, default: 15_000 },
  forgetAfterMs: { type: 'number', min: 1, default: 1_800_000 },
  patienceMs: { type: 'number', min: 0, default: 1_800_000 },
};

/**
 * Analyzes each signal once for all detectors: what was done, whether it failed, and how stale it is.
 *
 * @example
 * ```ts
 * const analyzer = new Analyzer();
 * const said = { kind: 'message', at: 0, agent: 'a', text: 'The total is 42 euros.' } as const;
 * analyzer.observe(said).staleness; // => 0
 * analyzer.observe(said).staleness; // => 0.75
 * analyzer.observe(said).staleness; // => 1
 * ```
 */
export class Analyzer {
  readonly #memory: Memory;
  readonly #words: WordStaleness = new WordStaleness();
  readonly #messages: MessageReader;
  readonly #calls: CallReader;
  readonly #interactions: InteractionReader;
  readonly #tools: CheckedTools;
  readonly #polls: Polls = new Polls();
  readonly #pace: IdleGapTracker;
  readonly #suspicion: SuspicionScore = new SuspicionScore();
  readonly #steps: StepComparer;
  readonly #parts: SavedGroup;
  #index = 0;

  /**
   * `redactName` redacts names of tools for snapshots; `report` hears of errors of your own functions in the options, which are thrown
   * without it. @throws {@link InvalidOptionError}
   */
  constructor(
    options: AnalyzerOptions = {},
    redactName: (tool: string) => string = (tool) => tool,
    report: (error: unknown) => void = rethrow,
  ) {
    const read = readOptions<AnalyzerOptions, Unset>('analysis', options, ANALYZER_OPTIONS);
    const { volatileFields = [], tools = {} } = read;
    this.#memory = new Memory(read.horizonTurns);
    this.#steps = new StepComparer(read, redactName);
    this.#messages = new MessageReader(this.#memory, this.#words);
    this.#tools = checkTools(tools, volatileFields, report);
    this.#calls = new CallReader(this.#memory, this.#tools, volatileFields);
    this.#interactions = new InteractionReader(this.#memory);
    this.#pace = new IdleGapTracker(read.waitMs);
    this.#parts = new SavedGroup({
      memory: this.#memory,
      words: this.#words,
      messages: this.#messages,
      polls: this.#polls,
      pace: this.#pace,
      suspicion: this.#suspicion,
      steps: this.#steps,
    });
  }

  /** Analyzes the next signal. Never throws on a valid signal. */
  observe(signal: Signal): AnalyzedSignal {
    const index = this.#index++;
    const memory = this.#memory;
    if (signal.kind === 'model-request') this.#pace.request(signal.at);
    if (signal.kind === 'usage') {
      this.#pace.answer(signal);
      this.#steps.addModel(signal.agent);
    }
    const isStep = !isBookkeeping(signal);
    const quietMs = isStep ? this.#pace.quietMs(signal) : 0;
    const waited = isStep ? this.#pace.step(signal) : 'no';
    const isAfterWait = waited !== 'no';
    if (waited === 'long') {
      memory.forgetSteps();
      this.#steps.forgetSteps();
    }
    if (isStep) memory.begin();
    const reading = this.#read(signal);
    const isPerson = reading.isPerson === true;
    const { action, failure, success, overdue, staleness, sameness, recurrence } = reading;
    if (isPerson) this.#steps.forgetSteps();
    const tookMs = isStep ? this.#pace.tookMs(signal) : 0;
    const freeAt = this.#pace.freeAt(signal.at);
    const compared = this.#steps.take(signal, reading, { index, freeAt, quietMs, tookMs });
    const { laps, standstill, isBackingOff } = compared;
    const tokens = reading.tokens ?? estimateTokens(textOf(signal));
    if (isPerson || isAfterWait) this.#suspicion.clear();
    if (action !== undefined) this.#words.take(reading.hasFact === true, staleness === 0);
    const isProgress = isPerson || (staleness !== undefined && staleness < HALF_STALE);
    const suspicion = isPerson ? NO_SUSPICION : this.#suspect(signal, reading, index);
    return {
      // Not spread, which would take a tenth of the time of a step.
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
      isChange: isPerson || (reading.isChange ?? staleness === 0),
      isProgress,
      isPerson,
      isAfterWait,
      suspicion,
      laps,
      standstill,
      isBackingOff,
      isAct: reading.step?.isAct === true,
      tokens,
    };
  }

  /** Who asks what. Changes nothing. */
  askOf(request: ToolCallRequest): Ask {
    return this.#calls.askOf(request);
  }

  /** The laps that a call would complete if it had the same outcome as the same call before. Changes nothing. */
  foresee({ at }: ToolCallRequest, { command, polls, key }: Ask): Laps | undefined {
    if (polls !== undefined && this.#polls.isWaitingAt(at, command, polls)) return undefined;
    if (this.#pace.isLongAt(at)) return undefined;
    const [freeAt, quietMs] = [this.#pace.freeAt(at), this.#pace.quietAt(at)];
    return this.#steps.foresee(key, { index: this.#index, at, freeAt, quietMs });
  }

  /** Notes that a step was held up before it could begin: that is no wait of the team. @internal */
  held(from: number, to: number): void {
    this.#pace.held(from, to);
  }

  /** Forgets everything: equal to a new analyzer with the same options. */
  reset(): void {
    this.#parts.clear();
    this.#index = 0;
  }

  snapshot(): JsonValue {
    return { index: this.#index, parts: this.#parts.snapshot() };
  }

  /** @throws {@link InvalidSnapshotError} naming the invalid field. */
  restore(snapshot: JsonValue): void {
    const { index, parts } = recordAt('analysis', snapshot);
    this.#parts.restore('analysis', parts);
    this.#index = count.read('analysis.index', index);
  }

  /** Who waits is not suspected for it. */
  #suspect(signal: Signal, reading: SignalFeatures, index: number): Suspicion {
    return this.#steps.isWaitingAt(this.#pace.freeAt(signal.at))
      ? this.#suspicion.latest
      : this.#suspicion.take(signal, reading, index);
  }

  #read(signal: Signal): SignalFeatures {
    if (isGivenUp(signal)) return {};
    if (signal.kind !== 'message' && !isBookkeeping(signal)) this.#messages.expectNoAnswer();
    switch (signal.kind) {
      case 'message':
        return this.#messages.read(signal);
      case 'tool-call': {
        if (isRefusedCall(signal)) return this.#calls.readRefused(signal);
        const reading = this.#calls.readCall(signal);
        const polls = declaredBy(this.#tools, signal.tool)?.polls;
        if (polls === undefined || reading.action === undefined) return reading;
        const poll = this.#polls.observe(signal, reading.command, reading.key, polls);
        if (poll.isWaiting) return { failure: reading.failure, success: reading.success };
        return poll.overdue ? { ...reading, overdue: poll.overdue } : reading;
      }
      case 'execution':
        return this.#calls.readRun(signal);
      case 'human-input':
        return this.#interactions.readPerson(signal);
      case 'handoff':
        return this.#interactions.readHandOver(signal);
      case 'nested-start':
      case 'nested-end':
        return this.#interactions.readNested(signal);
      case 'notice':
        this.#memory.learn(signal.text);
        return {};
      case 'usage':
        return readOutcome(signal, hashText(signal.model) as CommandHash);
      default:
        return {};
    }
  }
}

/** The text that a signal adds to the history. */
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

function rethrow(error: unknown): never {
  throw error;
}
