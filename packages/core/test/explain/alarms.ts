import { generateSignals } from '@teamfuse/testing';
import fc from 'fast-check';
import { expect } from 'vitest';
import { type Detector, type Evidence, NO_DETECTORS } from '../../src/detectors.ts';
import { Breaker, type BreakerOptions, explain, type Signal, type Trip } from '../../src/index.ts';
import { message } from '../support/signals.ts';

const UNSEEN = /\p{Cc}|\p{Cf}|\p{Cs}|\p{Zl}|\p{Zp}|\p{Default_Ignorable_Code_Point}/u;

/** Trips at the last of so many signals, with the evidence it is given. */
export function tripsAt(index: number, evidence: Partial<Evidence>, reason = 'too much'): Detector {
  const whole = { agents: ['a'], indices: [index], count: 3, limit: 3, ...evidence };
  return {
    kind: 'custom:alarm',
    observe: (step) =>
      step.index === index
        ? { level: 'trip', kind: 'custom:alarm', reason, evidence: whole }
        : undefined,
    reset() {},
    snapshot: () => null,
    restore() {},
  };
}

export const QUIET: BreakerOptions = { ...NO_DETECTORS, now: () => 0 };

export function tripOf(signals: readonly Signal[], options: BreakerOptions = {}): Trip {
  const breaker = new Breaker({ now: () => 0, ...options });
  for (const signal of signals) breaker.observe(signal);
  const { trip } = breaker.conversation();
  if (trip === undefined) throw new Error('nothing tripped');
  return trip;
}

/** Explains so many trips of any kind: what is said stays bounded and clean, and every signal is shown or counted. */
export function explainAnything(numRuns: number): void {
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ maxLength: 3000 }));
  const anyone = fc.oneof(text, fc.constantFrom('\u202eevil\n#1', '👩‍👩‍👧'.repeat(400), ''));
  fc.assert(
    fc.property(
      fc.nat(500),
      fc.array(fc.nat(300), { maxLength: 80 }),
      fc.array(anyone, { maxLength: 20 }),
      fc.record({ agent: anyone, reason: anyone, text: anyone, excerpts: fc.boolean() }),
      (seed, places, agents, { agent, reason, text, excerpts }) => {
        const run = [...generateSignals(seed, 40), message(agent, text)];
        const indices = [...new Set(places)].sort((a, b) => a - b);
        const detectors = [
          () => tripsAt(run.length - 1, { agents, indices, subject: text }, reason),
        ];
        const lines = explain(tripOf(run, { ...QUIET, detectors, excerpts })).split('\n');
        const shown = lines.filter((line) => /^ {2} *#\d+ /.test(line)).length;
        const hidden = Number(/^ +\((\d+) more like these/m.exec(lines.join('\n'))?.[1] ?? 0);
        expect(shown + hidden).toBe(indices.length);
        expect(lines.filter((line) => UNSEEN.test(line))).toEqual([]);
        expect(lines.join('\n').length).toBeLessThanOrEqual(8000);
      },
    ),
    { numRuns },
  );
}
