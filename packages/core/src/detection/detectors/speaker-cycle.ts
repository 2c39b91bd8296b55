import { InvalidOptionError } from '../../common/errors.ts';
import { named } from '../../common/excerpt.ts';
import type { OptionTable, WithDefaults } from '../../common/option-table.ts';
import { listed, times } from '../../common/words.ts';
import { count, list, pair, text } from '../../state/codec.ts';
import { Saved, SavedGroup, type Stateful } from '../../state/stateful.ts';
import type { AnalyzedSignal } from '../analyzed-signal.ts';
import type { Finding } from '../finding.ts';
import { isTalk } from '../steps/lap-step.ts';
import { newsOf } from '../suspicion/suspicion.ts';
import {
  BuiltInDetector,
  type DetectorSpec,
  levelOf,
  NORMAL,
  type Setting,
  SUSPICION_OPTIONS,
  type SuspicionOptions,
} from './built-in-detector.ts';
import { lapsFinding } from './laps-finding.ts';

/** Options of {@link SpeakerCycleDetector}. */
export interface SpeakerCycleOptions extends SuspicionOptions {
  /**
   * How many times the same ring of speakers must cycle. If you set it, a pair may follow each
   * other this many times without measurable change. By default, this many laps without anything
   * new are certain.
   * @defaultValue 3
   */
  readonly limit?: number;
  /**
   * How many of the latest turns are searched: at least twice `limit`, so that a pair can cycle that often.
   * @defaultValue 20
   */
  readonly windowTurns?: number;
  /**
   * Most speakers in a ring; a pair is a ring of 2.
   * @defaultValue 8
   */
  readonly maxRing?: number;
  /** Stops the team when the same pair of speakers repeats too often, whatever they say. */
  readonly samePair?: SamePair;
}

/** How often two agents may follow each other. */
export interface SamePair {
  /** How many times the same speaker may follow the same speaker; this many trip. */
  readonly times: number;
  /**
   * How many of the latest turns are searched.
   * @defaultValue 20
   */
  readonly windowTurns?: number;
}

/** Most turns that a window can have. */
export const MAX_WINDOW = 10_000;

export const SAME_PAIR: OptionTable<SamePair> = {
  times: { type: 'integer', min: 2, max: MAX_WINDOW, isRequired: true },
  windowTurns: { type: 'integer', min: 2, max: MAX_WINDOW, default: 20 },
};

const TURNS = list(pair(text, count), MAX_WINDOW);

type Options = WithDefaults<SpeakerCycleOptions, 'samePair'>;

export const SPEAKER_CYCLE: DetectorSpec<SpeakerCycleOptions, 'samePair'> = {
  name: 'speakerCycle',
  kind: 'speaker-cycle',
  meaning: 'The same speakers take turns with almost no new information.',
  advice:
    'If this was no loop, raise {limit}. If it was only suspected, raise {stopAt} or configure a judge.',
  progress: 'a fact, a figure, a draft or a decision that has not been there',
  options: {
    limit: {
      type: 'integer',
      min: 2,
      max: MAX_WINDOW / 2,
      default: 3,
      isScaled: true,
      tried: [2, 3, 4, 6],
    },
    windowTurns: { type: 'integer', min: 2, max: MAX_WINDOW, default: 20 },
    maxRing: { type: 'integer', min: 2, atMost: 'windowTurns', default: 8 },
    ...SUSPICION_OPTIONS,
    samePair: { type: 'table', documentedBy: 'SamePair', of: SAME_PAIR },
  },
};

/**
 * Trips when the same speakers take turns, round after round, and repeat themselves or add almost no new information.
 *
 * @example
 * ```ts
 * const analyzer = new Analyzer();
 * const detector = new SpeakerCycleDetector({ limit: 2, stopAt: 1 });
 * const say = (agent: string, text: string) =>
 *   detector.observe(analyzer.observe({ kind: 'message', at: 0, agent, text }))?.kind;
 * say('a', 'Thank you!'); // => undefined
 * say('b', 'No, thank you!'); // => undefined
 * say('a', 'I thank you.'); // => undefined
 * say('b', 'Thank you again.'); // => 'speaker-cycle'
 * ```
 */
export class SpeakerCycleDetector extends BuiltInDetector<SpeakerCycleOptions, 'samePair'> {
  readonly kind = 'speaker-cycle';
  /** Who spoke or acted, and at which index. Consecutive steps of one agent are one turn. */
  readonly #turns = new Saved<(readonly [string, number])[]>(TURNS, () => []);
  /** Who spoke, and where, since the last measurable change. */
  readonly #unchanged = new Saved<(readonly [string, number])[]>(TURNS, () => []);
  protected readonly memory: Stateful = new SavedGroup({
    turns: this.#turns,
    unchanged: this.#unchanged,
  });
  readonly #isDeclared: boolean;
  readonly #isTold: boolean;

  /** @throws {@link InvalidOptionError} */
  constructor(options: SpeakerCycleOptions = {}, { factor, isTold = false }: Setting = NORMAL) {
    super(SPEAKER_CYCLE, options, factor);
    this.#isTold = isTold;
    this.#isDeclared = options.limit !== undefined;
    checkWindow(this.options, options.windowTurns !== undefined);
  }

  observe(step: AnalyzedSignal): Finding | undefined {
    const { isPerson, action, signal, index, suspicion, laps } = step;
    if (isPerson) this.reset();
    const { limit, windowTurns } = this.options;
    const least = this.#isTold ? limit - 1 : limit;
    if (laps !== undefined && laps.laps >= least && isTalk(laps)) {
      return lapsFinding(this.kind, laps, limit);
    }
    const declared = this.#isDeclared ? this.#pair(step) : undefined;
    if (declared !== undefined) return declared;
    if (action === undefined) return undefined;
    const turns = this.#turns.state;
    if (turns.at(-1)?.[0] !== signal.agent) {
      if (turns.push([signal.agent, index]) > windowTurns) turns.shift();
    }
    const { kind, since } = suspicion;
    const level = levelOf(step, this.options.stopAt, this.#isTold);
    if (kind !== this.kind || level === undefined) return undefined;
    const places = this.#rounds();
    if (places.length < limit) return undefined;
    const agents = [...new Set(turns.slice(-(places[0] as number)).map(([agent]) => agent))];
    return {
      level,
      kind: this.kind,
      reason: `${listed(agents.map(named))} took turns ${times(places.length)} and added almost nothing new`,
      evidence: {
        agents,
        indices: turns.map(([, at]) => at).filter((at) => at >= since),
        count: places.length,
        limit,
        ...newsOf(suspicion),
        period: (places.at(-2) as number) - (places.at(-1) as number),
        subject: agents.join(' → '),
      },
    };
  }

  /** Whether the same pair has followed each other as often as a user allows without measurable change. */
  #pair({ signal, index, isChange }: AnalyzedSignal): Finding | undefined {
    const { limit, windowTurns } = this.options;
    // A change clears the turns but the latest, which starts the next pair.
    if (isChange) this.#unchanged.state.splice(0, this.#unchanged.state.length - 1);
    if (signal.kind !== 'message') return undefined;
    const turns = this.#unchanged.state;
    if (turns.push([signal.agent, index]) > windowTurns) turns.shift();
    const from = turns.at(-2)?.[0];
    const to = signal.agent;
    if (from === undefined || from === to) return undefined;
    const places = turns.flatMap(([agent], i) =>
      agent === to && turns[i - 1]?.[0] === from ? [i] : [],
    );
    if (places.length < limit) return undefined;
    const often = `${times(places.length)} without measurable change`;
    return this.found(
      `${named(to)} spoke after ${named(from)} ${often}`,
      {
        agents: [from, to],
        indices: turns.slice((places[0] as number) - 1).map(([, at]) => at),
        count: places.length,
        limit,
        period: 2,
        subject: `${from} → ${to}`,
      },
      { basis: 'declared' },
    );
  }

  /** How many turns back the latest pair of speakers spoke each time, the oldest first. */
  #rounds(): number[] {
    const turns = this.#turns.state;
    const to = turns.at(-1)?.[0];
    const from = turns.at(-2)?.[0];
    const places: number[] = [];
    if (from === undefined) return places;
    let last = turns.length - 1;
    for (let i = last; i > 0 && last - i <= this.options.maxRing; i--) {
      if (turns[i]?.[0] !== to || turns[i - 1]?.[0] !== from) continue;
      places.unshift(turns.length - i);
      last = i;
    }
    return places;
  }
}

function checkWindow({ limit, windowTurns }: Options, isWindowGiven: boolean): void {
  // A pair takes two turns each time.
  const needed = 2 * limit;
  if (windowTurns >= needed) return;
  const [option, expected, received] = isWindowGiven
    ? (['windowTurns', `at least ${needed}, for ${limit} rounds of a pair`, windowTurns] as const)
    : ([
        'limit',
        `at most ${windowTurns / 2} in a window of ${windowTurns} turns (raise windowTurns)`,
        limit,
      ] as const);
  const problem = `speakerCycle.limit ${limit} does not fit the window of ${windowTurns} turns`;
  const sentence = `${problem}: raise speakerCycle.windowTurns to ${needed}`;
  throw new InvalidOptionError(`speakerCycle.${option}`, expected, received, sentence);
}
