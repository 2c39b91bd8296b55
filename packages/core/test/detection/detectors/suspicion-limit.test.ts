import { describe, expect, it } from 'vitest';
import { type Suspicion, suspicionLimit } from '../../../src/detectors.ts';

const two: Suspicion = {
  score: 1,
  kind: 'speaker-cycle',
  since: 0,
  newsAt: -1,
  agents: ['a', 'b'],
};

describe('the suspicion that stops', () => {
  it('[SPK1] is half as much again where more than two take part', () => {
    expect(suspicionLimit({}, two)).toBe(10);
    expect(suspicionLimit({}, { ...two, agents: ['a', 'b', 'c'] })).toBe(15);
  });

  it('[BRK21] goes by the sensitivity where stopAt is not set', () => {
    expect(suspicionLimit({ sensitivity: 'high' }, two)).toBe(7.5);
    expect(suspicionLimit({ sensitivity: 'low', speakerCycle: { stopAt: 5 } }, two)).toBe(5);
  });

  it('[SPK1] is none for a detector that is off, or one that counts', () => {
    expect(suspicionLimit({ repetition: false }, { ...two, kind: 'repetition' })).toBeUndefined();
    expect(suspicionLimit({}, { ...two, kind: 'execution-storm' })).toBeUndefined();
  });
});
