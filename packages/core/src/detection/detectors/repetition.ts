import { named } from '../../common/excerpt.ts';
import { inDigits, listed, times } from '../../common/words.ts';
import type { ToolCallRequest } from '../../signal/request.ts';
import { count, list } from '../../state/codec.ts';
import { Saved, type Stateful } from '../../state/stateful.ts';
import type { AnalyzedSignal } from '../analyzed-signal.ts';
import type { Finding } from '../finding.ts';
import { isTalk, type Laps } from '../steps/lap-step.ts';
import type { Standstill } from '../steps/standstill.ts';
import { newsOf } from '../suspicion/suspicion.ts';
import {
  BuiltInDetector,
  type DetectorSpec,
  levelOf,
  NORMAL,
  type Setting,
  SUSPICION_OPTIONS,
  type SuspicionOptions,
  stopAtOf,
} from './built-in-detector.ts';
import { foreseenFinding, lapsFinding } from './laps-finding.ts';

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
  /**
   * Whether an answer is cut off while it streams that has come to say the same text `maxSelfRepetitions` times, one after the other,
   * and nothing else: for 6,000 characters, and for 32,000 where it is data or code.
   * @defaultValue true
   */
  readonly cutsStreams?: boolean;
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
    'If this was no loop, raise {limit}, for a text that may say the same {maxSelfRepetitions}, or declare polled tools under analysis.tools. If it was only suspected, raise {stopAt} or configure a judge.',
  progress:
    'a call with other arguments or of another tool, a result that has not been there, or an answer',
  options: {
    limit: { type: 'integer', min: 2, max: 32, default: 3, isScaled: true, tried: [2, 3, 4, 6] },
    maxSelfRepetitions: { type: 'integer', min: 2, default: 20, isScaled: true },
    cutsStreams: { type: 'flag', default: true },
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
  readonly #latest = new Saved<number[]>(LATEST, () => []);
  protected readonly memory: Stateful = this.#latest;
  readonly #shape: LoopShape;
  readonly #isTold: boolean;

  /** `shape` says which laps count. @throws {@link InvalidOptionError} */
  constructor(
    options: RepetitionOptions = {},
    { factor, isTold = false }: Setting = NORMAL,
    shape: LoopShape = ANY_LOOP,
  ) {
    super(REPETITION, options, factor);
    this.#shape = shape;
    this.#isTold = isTold;
  }

  observe(step: AnalyzedSignal): Finding | undefined {
    return this.#cutOff(step) ?? this.#certain(step) ?? this.#early(step);
  }

  /** An answer that had come to say nothing but the same. */
  #cutOff({ signal, index }: AnalyzedSignal): Finding | undefined {
    if (signal.kind !== 'usage' || signal.repetitions === undefined) return undefined;
    const { cutsStreams, maxSelfRepetitions: limit } = this.options;
    if (!cutsStreams || signal.repetitions < limit) return undefined;
    const often = times(signal.repetitions);
    const reason = `${named(signal.agent)} repeated the same text ${often} in one answer, which was cut off`;
    const evidence = { agents: [signal.agent], indices: [index], count: signal.repetitions, limit };
    return this.found(reason, evidence, { basis: 'certain', isUrgent: true });
  }

  #certain(step: AnalyzedSignal): Finding | undefined {
    const { action, failure, laps, standstill, selfRepetitions = 0 } = step;
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

  /** One more lap is a loop. */
  #early({ laps }: AnalyzedSignal): Finding | undefined {
    if (!this.#isTold || laps === undefined || isTalk(laps)) return undefined;
    const { limit } = this.options;
    const isLoop = laps.laps === limit - 1 && this.#fits(laps);
    return isLoop ? lapsFinding(this.kind, laps, limit) : undefined;
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

  #isLoop(laps: Laps): boolean {
    return laps.laps >= this.options.limit && this.#fits(laps);
  }

  #fits({ period }: Laps): boolean {
    const { least, most } = this.#shape;
    return period >= least && period <= most;
  }

  #selfRepetition({ signal, index }: AnalyzedSignal, selfRepetitions: number): Finding | undefined {
    const limit = this.options.maxSelfRepetitions;
    if (selfRepetitions < limit) return undefined;
    const reason = `${named(signal.agent)} repeated the same text ${times(selfRepetitions)} within one message`;
    const agents = [signal.agent];
    return this.found(reason, { agents, indices: [index], count: selfRepetitions, limit });
  }

  /** Too little news for too long, whatever exactly is repeated. */
  #standstill(step: AnalyzedSignal): Finding | undefined {
    const { score, since, agents, kind } = step.suspicion;
    const limit = stopAtOf(step.suspicion, this.options.stopAt);
    const level = levelOf(step, this.options.stopAt, this.#isTold);
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
