import { transcript } from '@teamfuse/testing';
import type { AnalyzedSignal } from '../../src/detection/analyzed-signal.ts';
import { Analyzer, type AnalyzerOptions } from '../../src/detection/analyzer.ts';

/** The steps of a transcript. */
export function stepsOf(text: string, options?: AnalyzerOptions): AnalyzedSignal[] {
  const analyzer = new Analyzer(options);
  return transcript(text).map((signal) => analyzer.observe(signal));
}

/** The last step of a transcript. */
export function lastStep(text: string, options?: AnalyzerOptions): AnalyzedSignal {
  return stepsOf(text, options).at(-1) as AnalyzedSignal;
}

/** The laps that the last step of a transcript completes; 0 if there are fewer than two. */
export function laps(text: string, options?: AnalyzerOptions): number {
  return lastStep(text, options).laps?.laps ?? 0;
}

/** How stale the steps of a transcript are, to two digits. */
export function stalenessOf(text: string, options?: AnalyzerOptions): (number | undefined)[] {
  return stepsOf(text, options).map(({ staleness }) =>
    staleness === undefined ? undefined : Math.round(100 * staleness) / 100,
  );
}
