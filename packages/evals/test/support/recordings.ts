import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { evalTraces, type TraceScore } from '../../src/index.ts';
import { ANSWERS, fixture, lastLine } from './last-line.ts';

export const CORPUS: string = fixture('../../../../shared/corpus');

/** Recordings of a day that were set aside, and what the default policy has to make of them. */
interface Day {
  readonly day: string;
  readonly loops: number;
  readonly hit: number;
  readonly healthy: number;
  readonly stopped: number;
}

/** Tests how many loops the default policy hits in the recordings of a day, with a judge. */
export function testRecordings(of: Day): void {
  const { day, loops, hit, healthy, stopped } = of;
  it.skipIf(!existsSync(CORPUS))(
    `[EVAL6] hits ${hit} of ${loops} loops in recordings of ${day} (needs the recordings)`,
    async () => {
      const score = await lastLine<TraceScore>(
        (options) => evalTraces(CORPUS, fixture(`aside/${day}/labels.jsonl`), options),
        { answers: ANSWERS },
      );
      expect(score).toMatchObject({ loops, healthy, unanswered: 0 });
      expect(score.hit).toBeGreaterThanOrEqual(hit);
      expect(score.falseTrips).toBeLessThanOrEqual(stopped);
      expect(score.questionsPerHealthy).toBeLessThanOrEqual(2.5);
    },
  );
}
