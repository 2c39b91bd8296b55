import { timeline, transcript } from '@teamfuse/testing';
import { Analyzer } from '../../src/detection/analyzer.ts';
import {
  ExecutionStormDetector,
  type ExecutionStormOptions,
} from '../../src/detection/detectors/execution-storm.ts';
import type { Finding } from '../../src/index.ts';

export const PARTS: readonly string[] = [
  'forms',
  'dates',
  'images',
  'slides',
  'modal',
  'toast',
  'router',
  'charts',
];

/** Runs of code, each with another program and the given output. */
export function runs(...outputs: readonly string[]): string {
  return outputs
    .map((output, i) => {
      const [exit, ...text] = output.split(' ');
      return `E!exit${exit}("run(${i})"):${JSON.stringify(text.join(' '))}`.replace(
        /\("run\((\d+)\)"\)/,
        '("run $1")',
      );
    })
    .join(' ');
}

/** What a detector of storms says to each signal. */
export function storm(text: string, options: ExecutionStormOptions = {}): string {
  return timeline(new ExecutionStormDetector(options), transcript(text));
}

/** What is found at each signal. */
export function findings(
  text: string,
  options: ExecutionStormOptions = {},
): (Finding | undefined)[] {
  const analyzer = new Analyzer();
  const detector = new ExecutionStormDetector(options);
  return transcript(text).map((signal) => detector.observe(analyzer.observe(signal)));
}
