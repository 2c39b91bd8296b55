import type { AnalyzedSignal } from '../analysis/analyzed-signal.ts';
import type { Finding } from '../finding.ts';
import { count, list, number, type Of, record } from '../state/codec.ts';
import { Kept, type Stateful } from '../state/stateful.ts';
import { inDigits } from '../words.ts';
import { BuiltInDetector } from './built-in-detector.ts';
import { type DetectorSpec, NORMAL, type Setting } from './detector-spec.ts';
import { STOP_AT_OPTION, type SuspicionOptions } from './stop-at.ts';

/** Options of {@link HistoryDriftDetector}. */
export interface HistoryDriftOptions extends Pick<SuspicionOptions, 'stopAt'> {
  /**
   * How many times larger than the average of the first prompts each of the latest must be.
   * @defaultValue 3
   */
  readonly ratio?: number;
  /**
   * How many model calls each average covers.
   * @defaultValue 5
   */
  readonly windowTurns?: number;
  /** Stops the team once the latest five prompts average this many times the first five, even if they are new. */
  readonly maxRatio?: number;
  /** Stops the team when a prompt exceeds this many tokens, or the estimated conversation if no usage is reported. */
  readonly maxTokens?: number;
}

const MAX_WINDOW = 1000;

const INDICES = list(count, MAX_WINDOW);
const PROMPTS = list(number, MAX_WINDOW);
const HISTORIES = record({
  /** Tokens of the first and of the latest prompts, and where the latest ones are. */
  sizes: record({ first: PROMPTS, latest: PROMPTS, indices: INDICES }),
  /** Tokens of consecutive messages that each quote the one before below their own text. */
  quotes: record({ first: number, latest: number, length: count, indices: INDICES }),
});
type Histories = Of<typeof HISTORIES>;
const NO_QUOTES = { first: 0, latest: 0, length: 0, indices: [] };
const NONE = { sizes: { first: [], latest: [], indices: [] }, quotes: NO_QUOTES };

export const HISTORY_DRIFT: DetectorSpec<HistoryDriftOptions, 'maxRatio' | 'maxTokens'> = {
  name: 'historyDrift',
  kind: 'history-drift',
  meaning: 'The history that each turn carries grows out of proportion.',
  advice: 'If turns need to grow, raise {ratio} or set historyDrift: false.',
  options: {
    ratio: { type: 'number', min: 1, default: 3, isScaled: true },
    windowTurns: { type: 'integer', min: 1, max: MAX_WINDOW, default: 5 },
    stopAt: STOP_AT_OPTION,
    maxRatio: { type: 'number', min: 1 },
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
export class HistoryDriftDetector extends BuiltInDetector<
  HistoryDriftOptions,
  'maxRatio' | 'maxTokens'
> {
  readonly kind = 'history-drift';
  readonly #histories: Kept<Histories> = new Kept(HISTORIES, () => NONE);
  protected readonly memory: Stateful = this.#histories;

  /** @throws {@link InvalidOptionError} */
  constructor(options: HistoryDriftOptions = {}, { factor }: Setting = NORMAL) {
    super(HISTORY_DRIFT, options, factor);
  }

  observe(step: AnalyzedSignal): Finding | undefined {
    const { signal, isPerson } = step;
    if (isPerson) this.reset();
    if (signal.kind === 'usage' && signal.inputTokens > 0) {
      return this.#prompt(step, signal.inputTokens);
    }
    return signal.kind === 'message' ? this.#quote(step) : undefined;
  }

  #quote({ signal, index, tokens, carries = false }: AnalyzedSignal): Finding | undefined {
    const { windowTurns, ratio: limit } = this.options;
    const { sizes, quotes: before } = this.#histories.state;
    const isQuote = carries && tokens > before.latest;
    const { first, length, indices } = isQuote ? before : { ...NO_QUOTES, first: tokens };
    const kept = [...indices, index].slice(-1 - windowTurns);
    const quotes = { first, latest: tokens, length: length + 1, indices: kept };
    this.#histories.state = { sizes, quotes };
    const ratio = tenths(tokens, Math.max(1, first));
    if (!isQuote || length < windowTurns || ratio < limit) return undefined;
    const what = 'each message includes the ones before it: the latest is';
    const reason = `${what} ${inDigits(ratio)} times as long as the first`;
    return { ...this.#found(signal.agent, kept, reason, ratio), basis: 'certain' };
  }

  #prompt({ signal, index, suspicion }: AnalyzedSignal, tokens: number): Finding | undefined {
    const { sizes, quotes } = this.#histories.state;
    const { first, latest, indices } = sizes;
    const { windowTurns, ratio: limit, stopAt } = this.options;
    if (first.length < windowTurns) {
      this.#histories.state = { sizes: { ...sizes, first: [...first, tokens] }, quotes };
      return undefined;
    }
    const late = [...latest, tokens].slice(-windowTurns);
    const places = [...indices, index].slice(-windowTurns);
    this.#histories.state = { sizes: { first, latest: late, indices: places }, quotes };
    const early = Math.max(1, mean(first));
    const isGrown = late.length === windowTurns && Math.min(...late) / early >= limit;
    const isStale = suspicion.score >= stopAt;
    if (!isGrown || !isStale || (places[0] as number) < suspicion.since) return undefined;
    const ratio = tenths(mean(late), early);
    const what = `the latest prompts are ${inDigits(ratio)} times as long as the first ones`;
    return this.#found(signal.agent, places, `${what} and add almost nothing new`, ratio);
  }

  #found(agent: string, indices: readonly number[], reason: string, ratio: number): Finding {
    const limit = this.options.ratio;
    return this.trip(reason, { agents: [agent], indices, count: ratio, limit, ratio });
  }
}

function tenths(value: number, base: number): number {
  return Math.round((10 * value) / base) / 10;
}

function mean(sizes: readonly number[]): number {
  return sizes.reduce((sum, size) => sum + size, 0) / sizes.length;
}
