import { detectorContract, generateSignals, timeline } from '@teamfuse/testing';
import { describe, expect, it } from 'vitest';
import { DETECTORS } from './all-detectors.ts';
import { testCutRuns } from './cut-runs.ts';

/** What needs thousands of signals. */
const LONG = 'DET5';

describe.each(DETECTORS)('the detector for %s', (_, create) => {
  it.each(detectorContract(create).filter(({ id }) => id !== LONG))('[$id] $title', ({ check }) => {
    expect(check).not.toThrow();
  });

  it('[DET8] speaks in generated runs, so that the contract has something to compare', () => {
    expect(timeline(create(), generateSignals(1, 1000))).toMatch(/T/);
  });
});

testCutRuns(3);
