import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { evalScenarios, RecordedJudge, type ScenarioScore } from '../src/index.ts';
import { ANSWERS, fixture, lastLine } from './support/last-line.ts';
import { testRecordings } from './support/recordings.ts';

const folder = mkdtempSync(join(tmpdir(), 'teamfuse-evals-'));

afterAll(() => {
  rmSync(folder, { recursive: true });
});

describe('the default policy with the recorded answers of a judge', () => {
  it.each([
    { folder: '2026-11-30/work', total: 60, passed: 50, pairsWon: 20, stopped: 1 },
    { folder: '2026-11-28/work', total: 48, passed: 46, pairsWon: 22, stopped: 1 },
    { folder: '2026-11-28/talk', total: 24, passed: 24, pairsWon: 12, stopped: 0 },
    { folder: '2026-11-23/work', total: 48, passed: 41, pairsWon: 17, stopped: 0 },
    { folder: '2026-11-23/talk', total: 32, passed: 21, pairsWon: 5, stopped: 0 },
    { folder: '2026-11-22/talk', total: 72, passed: 61, pairsWon: 25, stopped: 0 },
  ])(
    '[EVAL5] is right about $passed of $total conversations of $folder, and stops $stopped healthy',
    async ({ folder, total, passed, pairsWon, stopped }) => {
      const score = await lastLine<ScenarioScore>(
        (options) => evalScenarios(fixture(`aside/${folder}`), options),
        { answers: ANSWERS },
      );
      expect(score).toMatchObject({ total, falseTrips: stopped, unanswered: 0 });
      expect(score.missed).toBeLessThanOrEqual(1);
      expect(score.passed).toBeGreaterThanOrEqual(passed);
      expect(score.pairsWon).toBeGreaterThanOrEqual(pairsWon);
      expect(score.questionsPerHealthy).toBeLessThanOrEqual(4);
    },
  );

  testRecordings({ day: '2026-11-22', loops: 66, hit: 53, healthy: 85, stopped: 1 });
});

describe('a recorded judge', () => {
  it('[EVAL8] writes the questions that have no answer, and plays the answers back', async () => {
    const asks = join(folder, 'asks.jsonl');
    const answers = join(folder, 'answers.jsonl');
    const run = (files: object) =>
      lastLine<ScenarioScore>((options) => evalScenarios(fixture('talk'), options), files);
    const before = await run({ asks });
    const lines = readFileSync(asks, 'utf8').trim().split('\n');
    expect(lines).toHaveLength(before.unanswered);
    const questions = lines.map((line) => JSON.parse(line) as { ask: string; messages: object[] });
    for (const { ask, messages } of questions) {
      expect(ask).toMatch(/^[\da-f]{64}$/);
      expect(messages).toHaveLength(2);
    }
    const sure = questions.map(({ ask }) => JSON.stringify({ ask, probability: 1 }));
    writeFileSync(answers, sure.join('\n'));
    const after = await run({ answers });
    expect(after.unanswered).toBeLessThan(before.unanswered);
    expect(after.falseTrips).toBeGreaterThan(before.falseTrips);
  });

  it.each([{ ask: 1, probability: 0.5 }, { ask: 'a', probability: 2 }, { ask: 'a' }])(
    '[EVAL8] refuses %j, showing it',
    (answer) => {
      expect(() => new RecordedJudge([answer as never])).toThrow(JSON.stringify(answer));
    },
  );
});
