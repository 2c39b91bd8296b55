import { generateSignals, timeline } from '@teamfuse/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Analyzer, type Detector } from '../../../src/detectors.ts';
import type { Signal } from '../../../src/index.ts';
import { DETECTORS } from './all-detectors.ts';

/** A run of generated signals, cut somewhere. */
const cutRuns = fc
  .record({ seed: fc.integer(), length: fc.integer({ min: 1, max: 120 }), cut: fc.nat(120) })
  .map(({ seed, length, cut }) => ({ signals: generateSignals(seed, length), cut: cut % length }));

/** Stretches of free talk and repeated talk: small choices, so that the same comes round by chance as well. */
const talk: fc.Arbitrary<Signal[]> = fc.array(
  fc.record({
    kind: fc.constant('message' as const),
    at: fc.nat(1e6),
    agent: fc.constantFrom('ann', 'bob', ''),
    text: fc.oneof(
      fc.constantFrom('Thank you very much indeed!', 'ok', ''),
      fc.string({ unit: 'binary' }),
    ),
  }),
  { maxLength: 60 },
);

/** Cuts so many runs through each detector. */
export function testCutRuns(numRuns: number): void {
  describe.each(DETECTORS)(
    'any run through the detector for %s',

    (_, create) => {
      it('[DET9] may be cut anywhere and taken up from a snapshot', () => {
        fc.assert(
          fc.property(cutRuns, ({ signals, cut }) => {
            const whole = timeline(create(), signals);
            expect(relayed(create, signals, cut)).toBe(whole);
          }),
          { numRuns },
        );
      });

      it('[DET9] gives the same row whatever texts are said, and never throws', () => {
        fc.assert(
          fc.property(talk, fc.nat(60), (signals, cut) => {
            expect(relayed(create, signals, cut)).toBe(timeline(create(), signals));
          }),
          { numRuns },
        );
      });
    },
  );
}

/** The timeline of a run of which another analyzer and detector take up the rest. */
function relayed(create: () => Detector, signals: readonly Signal[], cut: number): string {
  const analyzer = new Analyzer();
  const detector = create();
  const first = timeline(detector, signals.slice(0, cut), analyzer);
  const stored = JSON.stringify([analyzer.snapshot(), detector.snapshot()]);
  const [analysis, state] = JSON.parse(stored);
  const nextAnalyzer = new Analyzer();
  const next = create();
  nextAnalyzer.restore(analysis);
  next.restore(state);
  return first + timeline(next, signals.slice(cut), nextAnalyzer);
}
