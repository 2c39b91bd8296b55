import { inDigits, inWords } from '../../common/words.ts';
import { count, list, number, type Of, record } from '../../state/codec.ts';
import { Saved, SavedGroup, type Stateful } from '../../state/stateful.ts';
import type { AnalyzedSignal } from '../analyzed-signal.ts';
import type { Finding } from '../finding.ts';
import {
  BuiltInDetector,
  type DetectorSpec,
  NORMAL,
  type Setting,
  STOP_AT_OPTION,
  type SuspicionOptions,
  stopAtOf,
} from './built-in-detector.ts';

/** Options of {@link HistoryDriftDetector}. */
export interface HistoryDriftOptions extends Pick<SuspicionOptions, 'stopAt'> {
  /**
   * How many times larger than the first prompts the latest must be, with almost nothing new in
   * them. If you set it, it counts whatever is new in prompts or messages, which grow in every long
   * chat.
   * @defaultValue 3
   */
  readonly ratio?: number;
  /**
   * How many of the first and of the latest prompts or messages are compared.
   * @defaultValue 5
   */
  readonly windowTurns?: number;
  /** Stops the team when a prompt exceeds this many tokens, or the estimated conversation if no usage is reported. */
  readonly maxTokens?: number;
}

const MAX_WINDOW = 1000;

const INDICES = list(count, MAX_WINDOW);
const PROMPTS = list(number, MAX_WINDOW);
const SIZES = record({ first: PROMPTS, latest: PROMPTS, indices: INDICES });
type Sizes = Of<typeof SIZES>;
const NO_SIZES: Sizes = { first: [], latest: [], indices: [] };
const QUOTES = record({ first: number, latest: number, length: count, indices: INDICES });
type Quotes = Of<typeof QUOTES>;
const NO_QUOTES: Quotes = { first: 0, latest: 0, length: 0, indices: [] };

export const HISTORY_DRIFT: DetectorSpec<HistoryDriftOptions, 'maxTokens'> = {
  name: 'historyDrift',
  kind: 'history-drift',
  meaning: 'The history that each turn carries grows out of proportion.',
  advice: 'If turns need to grow, raise {ratio} or set historyDrift: false.',
  progress: 'a shorter message that has only what is new',
  options: {
    ratio: { type: 'number', min: 1, default: 3, isScaled: true },
    windowTurns: { type: 'integer', min: 1, max: MAX_WINDOW, default: 5 },
    stopAt: STOP_AT_OPTION,
    maxTokens: { type: 'integer', min: 1 },
  },
};

/**
 * Trips when the history of a turn grows without new content: each message quotes the one before it, or prompts outgrow
 * the first ones with almost no new information.
 *
 * @example
 * ```ts
 * const analyzer = new Analyzer();
 * const detector = new HistoryDriftDetector({ windowTurns: 2 });
 * const mail = (agent: string, text: string) =>
 *   detector.observe(analyzer.observe({ kind: 'message', at: 0, agent, text }))?.kind;
 * mail('a', 'Room 4?'); // => undefined
 * mail('b', 'Taken until 3.\n> Room 4?'); // => undefined
 * mail('a', 'Then room 5.\n> Taken until 3.\n> Room 4?'); // => 'history-drift'
 * ```
 */
export class HistoryDriftDetector extends BuiltInDetector<HistoryDriftOptions, 'maxTokens'> {
  readonly kind = 'history-drift';
  /** Tokens of the first and of the latest prompts and messages, and where the latest ones are. */
  readonly #prompts: Saved<Sizes> = new Saved(SIZES, () => NO_SIZES);
  readonly #messages: Saved<Sizes> = new Saved(SIZES, () => NO_SIZES);
  /** Tokens of consecutive messages that each quote the one before below their own text. */
  readonly #quotes: Saved<Quotes> = new Saved(QUOTES, () => NO_QUOTES);
  protected readonly memory: Stateful = new SavedGroup({
    prompts: this.#prompts,
    messages: this.#messages,
    quotes: this.#quotes,
  });

  readonly #isDeclared: boolean;

  /** @throws {@link InvalidOptionError} */
  constructor(options: HistoryDriftOptions = {}, { factor }: Setting = NORMAL) {
    super(HISTORY_DRIFT, options, factor);
    this.#isDeclared = options.ratio !== undefined;
  }

  observe(step: AnalyzedSignal): Finding | undefined {
    const { signal, isPerson } = step;
    if (isPerson) this.reset();
    if (signal.kind === 'usage' && signal.inputTokens > 0) {
      return this.#prompt(step, signal.inputTokens);
    }
    return signal.kind === 'message' ? this.#message(step) : undefined;
  }

  #message(step: AnalyzedSignal): Finding | undefined {
    const quoted = this.#quote(step);
    if (!this.#isDeclared) return quoted;
    const messages = this.#grow(this.#messages.state, step.tokens, step.index);
    this.#messages.state = messages;
    return quoted ?? this.#ratio(step.signal.agent, messages, 'messages');
  }

  #quote({ signal, index, tokens, carries = false }: AnalyzedSignal): Finding | undefined {
    const { windowTurns, ratio: limit } = this.options;
    const before = this.#quotes.state;
    const isQuote = carries && tokens > before.latest;
    const { length, indices } = isQuote ? before : NO_QUOTES;
    const first = isQuote ? before.first : tokens;
    const kept = [...indices, index].slice(-1 - windowTurns);
    this.#quotes.state = { first, latest: tokens, length: length + 1, indices: kept };
    const ratio = tenths(tokens, Math.max(1, first));
    if (!isQuote || length < windowTurns || ratio < limit) return undefined;
    const what = 'each message includes the ones before it: the latest is';
    const reason = `${what} ${inDigits(ratio)} times as long as the first`;
    return { ...this.#found(signal.agent, kept, reason, ratio), basis: 'certain' };
  }

  #prompt({ signal, index, suspicion }: AnalyzedSignal, tokens: number): Finding | undefined {
    const prompts = this.#grow(this.#prompts.state, tokens, index);
    this.#prompts.state = prompts;
    if (this.#isDeclared) return this.#ratio(signal.agent, prompts, 'prompts');
    const { first, latest, indices } = prompts;
    const { windowTurns, ratio: limit, stopAt } = this.options;
    const early = Math.max(1, mean(first));
    const isGrown = latest.length === windowTurns && Math.min(...latest) / early >= limit;
    const isStale = suspicion.score >= stopAtOf(suspicion, stopAt);
    if (!isGrown || !isStale || (indices[0] as number) < suspicion.since) return undefined;
    const ratio = tenths(mean(latest), early);
    const what = `the latest prompts are ${inDigits(ratio)} times as long as the first ones`;
    return this.#found(signal.agent, indices, `${what} and add almost nothing new`, ratio);
  }

  /** The sizes with one more: the first ones fill up first. */
  #grow({ first, latest, indices }: Sizes, tokens: number, index: number): Sizes {
    const { windowTurns } = this.options;
    if (first.length < windowTurns) return { first: [...first, tokens], latest, indices };
    return {
      first,
      latest: [...latest, tokens].slice(-windowTurns),
      indices: [...indices, index].slice(-windowTurns),
    };
  }

  /** Whether the averages are as far apart as a user allows. */
  #ratio(agent: string, { first, latest, indices }: Sizes, what: string): Finding | undefined {
    const { windowTurns, ratio: limit } = this.options;
    const ratio = mean(latest) / Math.max(1, mean(first));
    if (latest.length < windowTurns || ratio < limit) return undefined;
    const shown = tenths(mean(latest), Math.max(1, mean(first)));
    const of = `${inWords(windowTurns)} ${what}`;
    const reason = `the latest ${of} are ${inDigits(shown)} times as long as the first ${inWords(windowTurns)}`;
    return { ...this.#found(agent, indices, reason, shown), basis: 'declared' };
  }

  #found(agent: string, indices: readonly number[], reason: string, ratio: number): Finding {
    const limit = this.options.ratio;
    return this.found(reason, { agents: [agent], indices, count: ratio, limit, ratio });
  }
}

function tenths(value: number, base: number): number {
  return Math.round((10 * value) / base) / 10;
}

function mean(sizes: readonly number[]): number {
  return sizes.reduce((sum, size) => sum + size, 0) / sizes.length;
}
