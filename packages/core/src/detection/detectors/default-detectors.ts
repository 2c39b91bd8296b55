import { InvalidOptionError } from '../../common/errors.ts';
import {
  type AnyTable,
  type NestedOption,
  type OptionTable,
  readOptions,
} from '../../common/option-table.ts';
import { namesOf, orInvalid } from '../../common/options.ts';
import { ANALYZER_OPTIONS, type AnalyzerOptions } from '../analyzer.ts';
import type { Detector } from '../detector.ts';
import type { FindingKind } from '../finding.ts';
import { STOP_AT } from '../judgement.ts';
import type { Suspicion } from '../suspicion/suspicion.ts';
import {
  type DetectorSpec,
  givenOf,
  type Setting,
  type SuspicionOptions,
  stopAtOf,
} from './built-in-detector.ts';
import {
  EXECUTION_STORM,
  ExecutionStormDetector,
  type ExecutionStormOptions,
} from './execution-storm.ts';
import { HISTORY_DRIFT, HistoryDriftDetector, type HistoryDriftOptions } from './history-drift.ts';
import {
  NESTED_CASCADE,
  NestedCascadeDetector,
  type NestedCascadeOptions,
} from './nested-cascade.ts';
import { RATE, RateDetector, type RateOptions } from './rate.ts';
import { REPETITION, RepetitionDetector, type RepetitionOptions } from './repetition.ts';
import { SPEAKER_CYCLE, SpeakerCycleDetector, type SpeakerCycleOptions } from './speaker-cycle.ts';

/** Options of the built-in detectors; `false` switches one off. */
export interface DetectionOptions {
  /**
   * How readily a team is stopped: `high` stops sooner and gives more false alarms, `low` the
   * reverse. It multiplies the limits of detectors and judge that you do not set.
   * @defaultValue 'normal'
   */
  readonly sensitivity?: Sensitivity;
  /** How signals are analyzed for all detectors. */
  readonly analysis?: AnalyzerOptions;
  /** The same speakers take turns, round after round, with almost no new information. */
  readonly speakerCycle?: SpeakerCycleOptions | false;
  /** The same message, request or call is repeated with the same result. */
  readonly repetition?: RepetitionOptions | false;
  /** Code or tools fail in the same way over and over. */
  readonly executionStorm?: ExecutionStormOptions | false;
  /** The history that each turn carries grows out of proportion. */
  readonly historyDrift?: HistoryDriftOptions | false;
  /** Nested chats are started over and over, or ever deeper. */
  readonly nestedCascade?: NestedCascadeOptions | false;
  /** Failing or refused steps are retried too fast, or a declared rate is exceeded. */
  readonly rate?: RateOptions | false;
}

/** The name of a built-in detector among the options. */
export type DetectorName = Exclude<keyof DetectionOptions, 'analysis' | 'sensitivity'>;

type OptionsOf<Name extends DetectorName> = Exclude<DetectionOptions[Name], false | undefined>;

interface Entry<Options> {
  readonly spec: Omit<DetectorSpec<Options>, 'options'> & { readonly options: AnyTable };
  readonly Detector: new (options: Options, setting: Setting) => Detector;
}

/** Describes a built-in detector. */
export interface BuiltInSpec extends Omit<DetectorSpec<object>, 'name' | 'options'> {
  readonly name: DetectorName;
  readonly options: AnyTable;
}

// If a signal trips several detectors, the first gives the reason: a failure says more than a cycle.
const DETECTORS: { readonly [Name in DetectorName]: Entry<OptionsOf<Name>> } = {
  executionStorm: { spec: EXECUTION_STORM, Detector: ExecutionStormDetector },
  nestedCascade: { spec: NESTED_CASCADE, Detector: NestedCascadeDetector },
  rate: { spec: RATE, Detector: RateDetector },
  historyDrift: { spec: HISTORY_DRIFT, Detector: HistoryDriftDetector },
  repetition: { spec: REPETITION, Detector: RepetitionDetector },
  speakerCycle: { spec: SPEAKER_CYCLE, Detector: SpeakerCycleDetector },
};

const BUILT_IN = Object.values(DETECTORS) as readonly (Entry<object> & { spec: BuiltInSpec })[];

/** What each built-in detector declares about itself. */
export const DETECTOR_SPECS: readonly BuiltInSpec[] = BUILT_IN.map(({ spec }) => spec);

/**
 * Switches all built-in detectors off, as a base for choosing some.
 *
 * @example
 * ```ts
 * const breaker = new Breaker({ ...NO_DETECTORS, executionStorm: { limit: 3 } });
 * ```
 */
export const NO_DETECTORS: Readonly<Record<DetectorName, false>> = Object.fromEntries(
  DETECTOR_SPECS.map(({ name }) => [name, false]),
) as Record<DetectorName, false>;

/** The options of detection for their table. */
export const DETECTION_OPTIONS: OptionTable<DetectionOptions, DetectorName | 'analysis'> = {
  sensitivity: {
    type: 'choice',
    values: ['low', 'normal', 'high'] satisfies readonly Sensitivity[],
    default: 'normal',
    tried: ['low', 'normal', 'high'],
  },
  ...(Object.fromEntries(
    DETECTOR_SPECS.map(({ name, options }) => [name, switchOf(name, options)]),
  ) as Record<DetectorName, NestedOption>),
  analysis: { type: 'table', documentedBy: 'AnalyzerOptions', of: ANALYZER_OPTIONS },
};

function switchOf(name: string, of: AnyTable): NestedOption {
  const documentedBy = `${name.charAt(0).toUpperCase()}${name.slice(1)}Options`;
  return { type: 'table', documentedBy, of, isSwitch: true };
}

/** How readily all detectors and the judge stop a team. */
export type Sensitivity = 'low' | 'normal' | 'high';

/** Factors for the limits that the user does not set. */
const FACTORS: Readonly<Record<Sensitivity, number>> = { low: 4 / 3, normal: 1, high: 3 / 4 };

/** @throws {@link InvalidOptionError} */
export function factorOf(sensitivity: Sensitivity): number {
  if (typeof sensitivity === 'string' && Object.hasOwn(FACTORS, sensitivity))
    return FACTORS[sensitivity];
  throw new InvalidOptionError('sensitivity', Object.keys(FACTORS).join(', '), sensitivity);
}

/** The built-in detectors with these options. Of the kinds that are told first, they find loops one lap earlier. */
export function createDetectors(
  options: DetectionOptions,
  isToldFirst: (kind: FindingKind) => boolean = () => false,
): Detector[] {
  const { sensitivity = 'normal', repetition } = options;
  const factor = factorOf(sensitivity);
  const { name, options: table } = REPETITION;
  const { limit: laps } = readOptions(name, givenOf(name, repetition) || {}, table, factor);
  return BUILT_IN.flatMap(({ spec, Detector }) => {
    const own = givenOf(spec.name, options[spec.name]);
    if (own === false) return [];
    return [new Detector({ ...own }, { factor, laps, isTold: isToldFirst(spec.kind) })];
  });
}

/**
 * How often an answer may repeat itself while it streams; `undefined` if it may as often as it likes. `isStopped` says whether findings
 * of a kind stop the team.
 */
export function streamLimitOf(
  { sensitivity = 'normal', repetition }: DetectionOptions,
  isStopped: (kind: FindingKind) => boolean,
): number | undefined {
  const { name, kind, options: table } = REPETITION;
  const own = givenOf(name, repetition);
  if (own === false || !isStopped(kind)) return undefined;
  const { cutsStreams, maxSelfRepetitions } = readOptions(
    name,
    own ?? {},
    table,
    factorOf(sensitivity),
  );
  return cutsStreams ? maxSelfRepetitions : undefined;
}

/**
 * The suspicion score at which these options stop a team, for charts; `undefined` if the detector is off or does not use
 * suspicion. A detector may require more, such as three rounds of speakers.
 *
 * @throws {@link InvalidOptionError} if the sensitivity or the suspicion is invalid.
 */
export function suspicionLimit(
  options: DetectionOptions,
  suspicion: Suspicion,
): number | undefined {
  const { kind, agents } = orInvalid('suspicion', 'a suspicion', suspicion, () => ({
    kind: suspicion.kind,
    agents: namesOf('suspicion.agents', suspicion.agents),
  }));
  return orInvalid('options', 'options of the detectors', options, () => {
    const { sensitivity = 'normal' } = options;
    const spec = DETECTOR_SPECS.find((one) => one.kind === kind);
    if (spec === undefined || !('stopAt' in spec.options)) return undefined;
    const own = options[spec.name] as SuspicionOptions | false | undefined;
    if (own === false) return undefined;
    return stopAtOf({ agents }, own?.stopAt ?? factorOf(sensitivity) * STOP_AT);
  });
}
