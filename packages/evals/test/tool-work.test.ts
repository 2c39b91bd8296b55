import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { breakerPolicy, runScenario, scoreScenarios } from '../src/index.ts';
import { readDialogues } from './support/read-dialogues.ts';

const work = readDialogues(fileURLToPath(new URL('../fixtures/tool-work.txt', import.meta.url)), [
  'execution-storm',
  'repetition',
]);
const ours = breakerPolicy('teamfuse');

describe('the default policy on work with tools, in many languages of both sorts', () => {
  it.each(work.map((scenario) => [scenario.id, scenario] as const))(
    '[EVAL8] is right about %s',
    (_, scenario) => {
      expect(runScenario(scenario, ours)).toMatchObject({ outcome: 'passed' });
    },
  );

  it('[EVAL8] has a healthy twin for each loop', () => {
    const results = work.map((scenario) => runScenario(scenario, ours));
    expect(work.filter(({ must }) => must === 'trip')).toHaveLength(work.length / 2);
    expect(scoreScenarios(work, results).falseTrips).toBe(0);
  });
});
