import { describe, expect, it } from 'vitest';
import { BASELINES } from '../src/index.ts';
import { scoreOf } from './support/score.ts';

describe('the default policy on the scripted scenarios', () => {
  const score = scoreOf('scenarios');

  it('[EVAL1] is right about at least 95 % of them', () => {
    expect(score.total).toBe(124);
    expect(score.passed / score.total).toBeGreaterThanOrEqual(0.95);
  });

  it('[EVAL2] is right about both twins of at least 90 % of the pairs', () => {
    expect(score.pairs).toBe(62);
    expect(score.pairsWon / score.pairs).toBeGreaterThanOrEqual(0.9);
  });

  it('[EVAL3] names no loop wrongly', () => {
    expect(score.wrongKind).toBe(0);
  });

  it.each(BASELINES.map((policy) => [policy.name, policy] as const))(
    '[EVAL4] wins more pairs than the rule "%s"',
    (_name, policy) => {
      expect(scoreOf('scenarios', policy).pairsWon).toBeLessThan(score.pairsWon);
    },
  );
});
