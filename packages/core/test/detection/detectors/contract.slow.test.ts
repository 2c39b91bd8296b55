import { analyzerContract, detectorContract } from '@teamfuse/testing';
import { describe, expect, it } from 'vitest';
import { DETECTORS } from './all-detectors.ts';
import { testCutRuns } from './cut-runs.ts';

describe.each(DETECTORS)('the detector for %s', (_, create) => {
  it.each(detectorContract(create).filter(({ id }) => id === 'DET5'))(
    '[$id] $title',
    ({ check }) => {
      expect(check).not.toThrow();
    },
  );
});

describe('the analyzer', () => {
  it.each(analyzerContract())('[$id] $title', ({ check }) => {
    expect(check).not.toThrow();
  });
});

testCutRuns(25);
