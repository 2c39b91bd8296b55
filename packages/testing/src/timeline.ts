import type { Signal } from '@teamfuse/core';
import { Analyzer, type Detector } from '@teamfuse/core/detectors';

/**
 * What a detector says to each signal, one character each: `.` nothing, `w` a warning, `T` a trip.
 *
 * Goes on where the detector stands; pass the `analyzer` along to go on with that as well.
 *
 * @example
 * ```ts
 * const said = transcript('A:"Looking into everything" A:"Looking into everything"');
 * timeline(new RepetitionDetector({ limit: 2 }), said); // => '.T'
 * ```
 */
export function timeline(
  detector: Detector,
  signals: readonly Signal[],
  analyzer: Analyzer = new Analyzer(),
): string {
  let row = '';
  for (const signal of signals) {
    const finding = detector.observe(analyzer.observe(signal));
    row += finding === undefined ? '.' : finding.level === 'trip' ? 'T' : 'w';
  }
  return row;
}
