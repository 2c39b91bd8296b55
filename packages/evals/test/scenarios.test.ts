import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import {
  BASELINES,
  breakerPolicy,
  readScenarios,
  runScenario,
  scoreScenarios,
} from '../src/index.ts';

const FIXTURES = fileURLToPath(new URL('../fixtures/scenarios', import.meta.url));
const scenarios = readScenarios(FIXTURES);

describe('the default policy on the scripted scenarios', () => {
  const ours = breakerPolicy('teamfuse');
  const results = scenarios.map((scenario) => runScenario(scenario, ours));
  const score = scoreScenarios(scenarios, results);

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
      const theirs = scenarios.map((scenario) => runScenario(scenario, policy));
      expect(scoreScenarios(scenarios, theirs).pairsWon).toBeLessThan(score.pairsWon);
    },
  );
});
