import type { AnalyzerOptions } from '../analysis/analyzer.ts';
import type { Detector } from '../detector.ts';
import { ExecutionStormDetector, type ExecutionStormOptions } from './execution-storm.ts';
import { HistoryDriftDetector, type HistoryDriftOptions } from './history-drift.ts';
import { NestedCascadeDetector, type NestedCascadeOptions } from './nested-cascade.ts';
import { RateDetector, type RateOptions } from './rate.ts';
import { RepetitionDetector, type RepetitionOptions } from './repetition.ts';
import { SpeakerCycleDetector, type SpeakerCycleOptions } from './speaker-cycle.ts';

/**
 * From where on those detectors are in doubt that sum up idle turns, where somebody can be asked: two of the three rounds
 * that make a loop, with some room for turns that are not idle altogether.
 */
const DOUBT_SHARE = 0.6;

/** Options of the built-in detectors; `false` switches one off. */
export interface DetectionOptions {
  /** How signals are read for all detectors. */
  readonly analysis?: AnalyzerOptions;
  readonly speakerCycle?: SpeakerCycleOptions | false;
  readonly repetition?: RepetitionOptions | false;
  readonly executionStorm?: ExecutionStormOptions | false;
  readonly historyDrift?: HistoryDriftOptions | false;
  readonly nestedCascade?: NestedCascadeOptions | false;
  readonly rate?: RateOptions | false;
}

/** The name of a built-in detector among the options. */
export type DetectorName = Exclude<keyof DetectionOptions, 'analysis'>;

/**
 * All built-in detectors switched off, to choose from.
 *
 * @example
 * ```ts
 * const breaker = new Breaker({ ...NO_DETECTORS, executionStorm: { limit: 3 } });
 * ```
 */
export const NO_DETECTORS: Readonly<Record<DetectorName, false>> = {
  speakerCycle: false,
  repetition: false,
  executionStorm: false,
  historyDrift: false,
  nestedCascade: false,
  rate: false,
};

/**
 * The built-in detectors with these options. Where a signal trips several, the first names the reason: what failed,
 * was started or grew says more than that it came round.
 * @internal
 */
export function createDetectors(
  { executionStorm, nestedCascade, rate, repetition, speakerCycle, historyDrift }: DetectionOptions,
  { mayDoubt = false }: { readonly mayDoubt?: boolean } = {},
): Detector[] {
  const doubt = mayDoubt ? { doubtShare: DOUBT_SHARE } : {};
  const detectors: Detector[] = [];
  if (executionStorm !== false) detectors.push(new ExecutionStormDetector(executionStorm));
  if (nestedCascade !== false) detectors.push(new NestedCascadeDetector(nestedCascade));
  if (rate !== false) detectors.push(new RateDetector(rate));
  if (historyDrift !== false) detectors.push(new HistoryDriftDetector(historyDrift));
  if (repetition !== false) detectors.push(new RepetitionDetector({ ...doubt, ...repetition }));
  if (speakerCycle !== false)
    detectors.push(new SpeakerCycleDetector({ ...doubt, ...speakerCycle }));
  return detectors;
}
