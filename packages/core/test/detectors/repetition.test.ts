import { describe, expect, it } from 'vitest';
import { RepetitionDetector } from '../../src/detectors/repetition.ts';
import { timeline, transcript } from '../../src/testing/index.ts';

describe('RepetitionDetector', () => {
  it('[REP1] trips at the third time the same is said with nothing new in between', () => {
    const said = transcript('A:"I will look into it now." '.repeat(3).trim());
    expect(timeline(new RepetitionDetector(), said)).toBe('..T');
  });

  it('[REP1] trips at the second time where the limit is two', () => {
    const said = transcript('A:"I will look into it now." '.repeat(2).trim());
    expect(timeline(new RepetitionDetector({ limit: 2 }), said)).toBe('.T');
  });
});
