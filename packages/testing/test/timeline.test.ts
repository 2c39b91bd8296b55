import { Analyzer, type Detector, RepetitionDetector } from '@teamfuse/core/detectors';
import { describe, expect, it } from 'vitest';
import { timeline, transcript } from '../src/index.ts';

describe('timeline', () => {
  it('[TML1] shows a trip where the detector trips', () => {
    const said = transcript(
      'A:"Looking into everything" A:"Looking into everything" A:"Looking into everything"',
    );
    expect(timeline(new RepetitionDetector(), said)).toBe('..T');
    expect(timeline(new RepetitionDetector({ limit: 2 }), said)).toBe('.TT');
  });

  it('[TML2] shows a warning where the detector warns', () => {
    const cautious: Detector = {
      kind: 'custom:cautious',
      observe: () => ({
        level: 'warn',
        kind: 'custom:cautious',
        reason: 'who knows',
        evidence: { agents: [], indices: [], count: 1, limit: 1 },
      }),
      reset: () => {},
      snapshot: () => null,
      restore: () => {},
    };
    expect(timeline(cautious, transcript('A:x B:y'))).toBe('ww');
  });

  it('[TML3] goes on with the analyzer it is given', () => {
    const detector = new RepetitionDetector({ limit: 2 });
    const analyzer = new Analyzer();
    const said = transcript('A:"Looking into everything"');
    expect(timeline(detector, said, analyzer)).toBe('.');
    expect(timeline(detector, said, analyzer)).toBe('T');
  });
});
