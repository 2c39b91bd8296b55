import { transcript } from '@teamfuse/testing';
import { describe, expect, it } from 'vitest';
import type { Evidence, Finding } from '../../../src/detection/finding.ts';
import {
  Analyzer,
  type Detector,
  RateDetector,
  RepetitionDetector,
} from '../../../src/detectors.ts';

/** The first finding. */
function findingOf(detector: Detector, text: string): Finding | undefined {
  const analyzer = new Analyzer();
  for (const signal of transcript(text)) {
    const finding = detector.observe(analyzer.observe(signal));
    if (finding) return finding;
  }
  return undefined;
}

/** The evidence of the first finding. */
function evidenceOf(detector: Detector, text: string): Evidence | undefined {
  return findingOf(detector, text)?.evidence;
}

describe('evidence', () => {
  it('[REP11] shows as many signals as it counts', () => {
    const line = 'A:"I will look into it now." ';
    const evidence = evidenceOf(new RepetitionDetector(), line.repeat(3));
    expect(evidence).toMatchObject({ indices: [0, 1, 2], count: 3, limit: 3 });
  });

  it('[REP11] shows the steps of a standstill since it began, the latest 20 at most', () => {
    const talk = Array.from(
      { length: 30 },
      (_, i) => `A:"We ${'so '.repeat(i)}wait for the report today."`,
    );
    const evidence = evidenceOf(
      new RepetitionDetector({ limit: 32, stopAt: 24 }),
      `A:"Row 4711 it is." ${talk.join(' ')}`,
    );
    expect(evidence?.indices).toHaveLength(20);
    expect(evidence?.count).toBeGreaterThanOrEqual(24);
  });

  it('[REP6] tells who said the same within one message, how often, and in which one', () => {
    const chant = JSON.stringify('I am sorry about that. '.repeat(50));
    const finding = findingOf(new RepetitionDetector(), `B:"Row 4711 it is." A:${chant}`);
    const { count = 0, ...evidence } = finding?.evidence ?? {};
    expect(evidence).toEqual({ agents: ['A'], indices: [1], limit: 20 });
    expect(count).toBeGreaterThanOrEqual(20);
    expect(finding?.reason).toBe(`A repeated the same text ${count} times within one message`);
  });

  it('[REP11] names who stands still, and only steps since the standstill began', () => {
    const talk = Array.from(
      { length: 12 },
      (_, i) => `A:"We ${'so '.repeat(i)}wait for the report today."`,
    );
    const finding = findingOf(
      new RepetitionDetector({ limit: 32, stopAt: 6 }),
      `A:"Row 4711 it is." A:"Column 88 of Rheinfeld holds zinc." ${talk.join(' ')}`,
    );
    const { indices = [], newsAt = -1 } = finding?.evidence ?? {};
    expect(newsAt).toBeGreaterThanOrEqual(1);
    expect(Math.min(...indices)).toBeGreaterThan(newsAt);
    expect(finding?.reason).toMatch(
      /^A has added almost nothing new for a while \(suspicion score \d+(\.\d)?, limit 6\)$/,
    );
    const [told] = finding?.reason.match(/\d+(\.\d)?/) ?? [];
    expect(finding?.evidence.count).toBeCloseTo(Number(told), 0);
  });

  it('[RAT4] names the signals that exceed a declared rate', () => {
    const rates = [{ signal: 'message', max: 2, perMs: 60_000 }] as const;
    const evidence = evidenceOf(new RateDetector({ rates }), 'A:a B>t(x)=1 B:b A:c');
    expect(evidence?.indices).toEqual([0, 2, 3]);
  });

  it('[RAT4] names the latest 20 at most', () => {
    const rates = [{ signal: 'message', max: 30, perMs: 60_000_000 }] as const;
    const evidence = evidenceOf(new RateDetector({ rates }), 'A:hm '.repeat(40));
    expect(evidence?.indices).toEqual(Array.from({ length: 20 }, (_, i) => i + 11));
  });
});
