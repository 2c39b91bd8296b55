import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import {
  BASELINES,
  breakerPolicy,
  readScenarios,
  runScenario,
  scoreScenarios,
} from '../src/index.ts';

const scenarios = readScenarios(fileURLToPath(new URL('../fixtures/blind', import.meta.url)));

describe('the default policy on scenarios whose writers have not seen it', () => {
  const ours = breakerPolicy('teamfuse');
  const results = scenarios.map((scenario) => runScenario(scenario, ours));
  const score = scoreScenarios(scenarios, results);

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
      const theirs = scenarios.map((scenario) => runScenario(scenario, policy));
      const { pairsWon } = scoreScenarios(scenarios, theirs);
      expect(score.pairsWon).toBeGreaterThanOrEqual(4 * pairsWon);
    },
  );
});
