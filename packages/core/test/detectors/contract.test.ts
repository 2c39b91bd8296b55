import { describe, expect, it } from 'vitest';
import { createDetectors } from '../../src/default-detectors.ts';
import type { Detector } from '../../src/index.ts';
import { LimitDetector, RateDetector } from '../../src/index.ts';
import {
  analyzerContract,
  detectorContract,
  generateSignals,
  timeline,
} from '../../src/testing/index.ts';

const DEFAULTS = createDetectors({}).map(
  ({ kind }) =>
    [kind, () => createDetectors({}).find((one) => one.kind === kind) as Detector] as const,
);
const STOP_TEXTS = [{ text: 'Thank you again.' }];

const DETECTORS: readonly (readonly [string, () => Detector])[] = [
  ...DEFAULTS,
  ['limit', () => new LimitDetector({ maxMessages: 150, maxTurns: 60, maxRunMs: 90_000 })],
  ['limit with stop texts', () => new LimitDetector({ stopTexts: STOP_TEXTS })],
  ['declared rate', () => new RateDetector({ rates: [{ signal: 'usage', max: 3, perMs: 5000 }] })],
];

describe.each(DETECTORS)('the detector for %s', (_, create) => {
  it.each(detectorContract(create))('[$id] $title', ({ check }) => {
    expect(check).not.toThrow();
  });

  it('[DET8] speaks in generated runs, so that the contract has something to compare', () => {
    expect(timeline(create(), generateSignals(1, 1000))).toMatch(/T/);
  });
});

describe('the analyzer', () => {
  it.each(analyzerContract())('[$id] $title', ({ check }) => {
    expect(check).not.toThrow();
  });
});
