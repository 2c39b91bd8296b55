import type { AnalyzerOptions } from './analysis/analyzer.ts';
import type { Detector } from './detector.ts';

/** Options of the built-in detectors; `false` switches one off. */
export interface DetectionOptions {
  /** How signals are read for all detectors. */
  readonly analysis?: AnalyzerOptions;
}

/** The built-in detectors with these options. @internal */
export function createDetectors(_options: DetectionOptions): Detector[] {
  return [];
}
