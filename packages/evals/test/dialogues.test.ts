import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { breakerPolicy, runScenario, scoreScenarios } from '../src/index.ts';
import { readDialogues } from './support/read-dialogues.ts';

const dialogues = readDialogues(
  fileURLToPath(new URL('../fixtures/dialogues.txt', import.meta.url)),
);

describe('the default policy on talk without tools, in many languages', () => {
  const ours = breakerPolicy('teamfuse');
  const results = dialogues.map((dialogue) => runScenario(dialogue, ours));
  const score = scoreScenarios(dialogues, results);

  it('[EVAL5] stops no healthy dialogue, be it a brainstorm, a quiz or a story', () => {
    expect(score.total).toBe(42);
    expect(score.falseTrips).toBe(0);
  });

  it('[EVAL6] finds every courtesy that goes round, though not always at once', () => {
    expect(score.missed).toBe(0);
    expect(score.passed / score.total).toBeGreaterThanOrEqual(0.95);
  });
});
