import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { breakerPolicy, runScenario, scoreScenarios } from '../src/index.ts';
import { readDialogues } from './support/read-dialogues.ts';

const KINDS = ['speaker-cycle', 'repetition', 'execution-storm'];
const pairs = readDialogues(
  fileURLToPath(new URL('../fixtures/pairs.txt', import.meta.url)),
  KINDS,
);
const ours = breakerPolicy('teamfuse');

describe('the default policy on teams of all trades and their twins', () => {
  it.each(pairs.map((scenario) => [scenario.id, scenario] as const))(
    '[EVAL9] is right about %s',
    (_, scenario) => {
      expect(runScenario(scenario, ours)).toMatchObject({ outcome: 'passed' });
    },
  );

  it('[EVAL9] has a healthy one for each loop', () => {
    const results = pairs.map((scenario) => runScenario(scenario, ours));
    expect(pairs.filter(({ must }) => must === 'trip')).toHaveLength(pairs.length / 2);
    expect(scoreScenarios(pairs, results).falseTrips).toBe(0);
  });
});
