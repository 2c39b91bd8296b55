import { describe, expect, it } from 'vitest';
import { Analyzer, type Detector, RateDetector, RepetitionDetector } from '../../src/index.ts';
import { transcript } from '../../src/testing/index.ts';

/** The indices of the first finding. */
function evidenceOf(detector: Detector, text: string): readonly number[] | undefined {
  const analyzer = new Analyzer();
  for (const signal of transcript(text)) {
    const finding = detector.observe(analyzer.observe(signal));
    if (finding) return finding.evidence.indices;
  }
  return undefined;
}

/** What is named of steps that are idle from one on, each by another agent that does another thing. */
function standstill({ idleTurns, from }: { idleTurns: number; from: number }): readonly number[] {
  const detector = new RepetitionDetector({ idleTurns });
  for (let index = 0; ; index++) {
    const isIdle = index > from;
    const finding = detector.observe({
      index,
      signal: { kind: 'message', at: index, agent: 'ab'.charAt(index % 2), text: `line ${index}` },
      deed: { type: 'said', key: index, subject: '', repeats: 0 },
      idleness: isIdle ? 1 : 0,
      isProgress: !isIdle,
      isPerson: false,
      isAfterWait: false,
      idleTurns: Math.max(0, index - from),
      idleSince: Math.min(index, from),
      tokens: 2,
    });
    if (finding) return finding.evidence.indices;
  }
}

describe('evidence', () => {
  it('[REP11] names the steps of a standstill', () => {
    expect(standstill({ idleTurns: 4, from: 3 })).toEqual([3, 4, 5, 6, 7, 8, 9]);
  });

  it('[REP11] names the last new step and the latest 20 of a long standstill', () => {
    const latest = Array.from({ length: 20 }, (_, i) => i + 29);
    expect(standstill({ idleTurns: 30, from: 3 })).toEqual([3, ...latest]);
  });

  it('[REP11] names where a result was shown before', () => {
    const rows = Array.from({ length: 8 }, (_, i) => `row${i} holds ${i * 37 + 11} crates`);
    const result = `A:"The inventory of the harbour by now: ${rows.join(', and ')}, as counted."`;
    const asks = ['Please have a look at it.', 'Could you look at it once more?', 'And now?'];
    const rounds = asks.map((ask) => `${result} B:"${ask}"`).join(' ');
    const detector = new RepetitionDetector({ windowSteps: 3 });
    expect(evidenceOf(detector, `${rounds} ${result}`)).toEqual([0, 2, 4]);
  });

  it('[RAT4] names the signals that exceed a declared rate', () => {
    const rates = [{ signal: 'message', max: 2, perMs: 60_000 }] as const;
    expect(evidenceOf(new RateDetector({ rates }), 'A:a B>t(x)=1 B:b A:c')).toEqual([0, 2, 3]);
  });

  it('[RAT4] names the latest 20 at most', () => {
    const rates = [{ signal: 'message', max: 30, perMs: 60_000_000 }] as const;
    const indices = evidenceOf(new RateDetector({ rates }), 'A:hm '.repeat(40));
    expect(indices).toEqual(Array.from({ length: 20 }, (_, i) => i + 11));
  });

  it('[REP2] states the limit that the count has reached, where one round more is needed', () => {
    const analyzer = new Analyzer();
    const detector = new RepetitionDetector();
    const rows = Array.from(
      { length: 6 },
      (_, i) => `A>timetable(line7)=empty B:"Valley${i} has ${i * 311 + 47} beds in house${i}."`,
    );
    const findings = transcript(rows.join(' '))
      .map((signal) => detector.observe(analyzer.observe(signal)))
      .filter((finding) => finding !== undefined);
    expect(findings[0]?.evidence).toMatchObject({ count: 4, limit: 4 });
  });
});
