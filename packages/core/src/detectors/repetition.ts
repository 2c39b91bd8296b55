import type { AnalyzedSignal } from '../analysis/analyzed-signal.ts';
import { isTalk, type Laps } from '../analysis/laps.ts';
import type { Standstill } from '../analysis/standstill.ts';
import { newsOf } from '../analysis/suspicion.ts';
import { named } from '../excerpt.ts';
import type { Finding } from '../finding.ts';
import type { ToolCallRequest } from '../signal/request.ts';
import { count, list } from '../state/codec.ts';
import { Kept, type Stateful } from '../state/stateful.ts';
import { inDigits, listed, times } from '../words.ts';
import { BuiltInDetector } from './built-in-detector.ts';
import { type DetectorSpec, NORMAL, type Setting } from './detector-spec.ts';
import { foreseenFinding, lapsFinding } from './laps-finding.ts';
import { levelOf, SUSPICION_OPTIONS, type SuspicionOptions, stopAtOf } from './stop-at.ts';

/** Options of {@link RepetitionDetector}. */
export interface RepetitionOptions extends SuspicionOptions {
  /**
   * How many laps without anything new trip: the third identical call, or the third round of a ring of calls, by any agents.
   * @defaultValue 3
   */
  readonly limit?: number;
  /**
   * How many times one message may repeat itself.
   * @defaultValue 20
   */
  readonly maxSelfRepetitions?: number;
}

/** Which laps count as a loop. */
interface LoopShape {
  /** The fewest and the most steps of a lap. */
  readonly least: number;
  readonly most: number;
  /** How often a call must have had the same outcome before it is expected to have it again. */
  readonly known: number;
}

const ANY_LOOP: LoopShape = { least: 1, most: Number.MAX_SAFE_INTEGER, known: 2 };
/** So many times as often as laps without a word. */
const LAPS_IN_SPITE_OF_WORDS = 2;
/** So many more prompts may be the same: programs word them once. */
const MORE_PROMPTS = 2;
const MAX_INDICES = 20;
const LATEST = list(count, MAX_INDICES);

export const REPETITION: DetectorSpec<RepetitionOptions> = {
  name: 'repetition',
  kind: 'repetition',
  meaning: 'The same message, request or call is repeated with the same result.',
  advice:
    'If this was no loop, raise {limit}, or declare polled tools under analysis.tools. If it was only suspected, raise {stopAt} or configure a judge.',
  options: {
    limit: { type: 'integer', min: 2, max: 32, default: 3, isScaled: true, tried: [2, 3, 4, 6] },
    maxSelfRepetitions: { type: 'integer', min: 2, default: 20, isScaled: true },
    ...SUSPICION_OPTIONS,
  },
};

/**
 * Trips after some laps without anything new, after a long time with almost no new information, and when one message repeats
 * itself over and over. Laps of messages by several agents are speaker cycles.
 *
 * @example
 * ```ts
 * const analyzer = new Analyzer();
 * const detector = new RepetitionDetector({ limit: 2 });
 * const said = { kind: 'message', at: 0, agent: 'coder', text: 'I will look into it now.' } as const;
 * detector.observe(analyzer.observe(said)); // => undefined
 * detector.observe(analyzer.observe(said))?.level; // => 'trip'
 * ```
 */
export class RepetitionDetector extends BuiltInDetector<RepetitionOptions> {
  readonly kind = 'repetition';
  /** Indices of the latest steps, for the evidence of a standstill. */
  readonly #latest = new Kept<number[]>(LATEST, () => []);
  protected readonly memory: Stateful = this.#latest;
  readonly #shape: LoopShape;

  /** `shape` says which laps count. @throws {@link InvalidOptionError} */
  constructor(
    options: RepetitionOptions = {},
    { factor }: Setting = NORMAL,
    shape: LoopShape = ANY_LOOP,
  ) {
    super(REPETITION, options, factor);
    this.#shape = shape;
  }

  observe(step: AnalyzedSignal): Finding | undefined {
    const { action, failure, laps, standstill, selfRepetitions = 0, isPerson } = step;
    if (isPerson) this.reset();
    if (laps !== undefined && this.#isLoop(laps) && !isTalk(laps)) {
      return lapsFinding(this.kind, laps, this.options.limit);
    }
    const stuck = standstill && this.#stuck(standstill);
    if (stuck !== undefined) return stuck;
    if (action === undefined) return undefined;
    const latest = this.#latest.state;
    if (latest.push(step.index) > MAX_INDICES) latest.shift();
    if (failure?.isRefusal) return undefined;
    return this.#selfRepetition(step, selfRepetitions) ?? this.#standstill(step);
  }

  foresee({ tool }: ToolCallRequest, laps: Laps): Finding | undefined {
    const expected = laps.steps.at(-1);
    const known = laps.steps.filter(({ key }) => key === expected?.key).length - 1;
    if (known < this.#shape.known || !this.#isLoop(laps)) return undefined;
    return foreseenFinding(this.kind, laps, this.options.limit, tool);
  }

  /** One agent says the same at length, or makes the same call in spite of all it says in between, which takes twice as often. */
  #stuck({ said, isPrompt, called }: Standstill): Finding | undefined {
    const { limit } = this.options;
    const most = isPrompt ? limit + MORE_PROMPTS : limit;
    if (said !== undefined && said.laps >= most && this.#isLoop(said)) {
      return lapsFinding(this.kind, said, most);
    }
    const patient = LAPS_IN_SPITE_OF_WORDS * limit;
    if (called === undefined || called.laps < patient || !this.#isLoop(called)) return undefined;
    return lapsFinding(this.kind, called, patient);
  }

  #isLoop({ laps, period }: Laps): boolean {
    const { least, most } = this.#shape;
    return laps >= this.options.limit && period >= least && period <= most;
  }

  #selfRepetition({ signal, index }: AnalyzedSignal, selfRepetitions: number): Finding | undefined {
    const limit = this.options.maxSelfRepetitions;
    if (selfRepetitions < limit) return undefined;
    const reason = `${named(signal.agent)} repeated the same text ${times(selfRepetitions)} within one message`;
    const agents = [signal.agent];
    return this.trip(reason, { agents, indices: [index], count: selfRepetitions, limit });
  }

  /** Too little news for too long, whatever exactly is repeated. */
  #standstill(step: AnalyzedSignal): Finding | undefined {
    const { score, since, agents, kind } = step.suspicion;
    const limit = stopAtOf(step.suspicion, this.options.stopAt);
    const level = levelOf(step, this.options);
    const isOurs = kind === this.kind || agents.length > 2;
    if (!isOurs || level === undefined) return undefined;
    const rounded = Math.round(score * 10) / 10;
    const who = `${listed(agents.map(named))} ${agents.length === 1 ? 'has' : 'have'}`;
    const reason = `${who} added almost nothing new for a while (suspicion score ${inDigits(rounded)}, limit ${inDigits(limit)})`;
    const indices = this.#latest.state.filter((index) => index >= since);
    const evidence = { agents, indices, count: rounded, limit, ...newsOf(step.suspicion) };
    return { level, kind: this.kind, reason, evidence };
  }
}
