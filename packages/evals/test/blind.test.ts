import { describe, expect, it } from 'vitest';
import { BASELINES } from '../src/index.ts';
import { scoreOf } from './support/score.ts';

describe('the default policy on scenarios whose writers have not seen it', () => {
  const score = scoreOf('blind');

  it('[EVAL10] is right about at least 70 % of them', () => {
    expect(score.total).toBe(216);
    expect(score.passed / score.total).toBeGreaterThanOrEqual(0.7);
  });

  it('[EVAL10] stops no more than one healthy one in five', () => {
    expect(score.falseTrips).toBeLessThanOrEqual(score.pairs / 5);
  });

  it.each(BASELINES.map((policy) => [policy.name, policy] as const))(
    '[EVAL10] wins four times as many pairs as the rule "%s"',
    (_name, policy) => {
      const { pairsWon } = scoreOf('blind', policy);
      expect(score.pairsWon).toBeGreaterThanOrEqual(4 * pairsWon);
    },
  );
});
