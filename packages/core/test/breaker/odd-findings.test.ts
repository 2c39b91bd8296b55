import { describe, expect, it } from 'vitest';
import type { Detector } from '../../src/detectors.ts';
import { Breaker } from '../../src/index.ts';
import { message } from '../support/signals.ts';

const EVIDENCE = { agents: ['a'], indices: [0], count: 2, limit: 2 };
const FINDING = { level: 'trip', kind: 'custom:odd', reason: 'odd', evidence: EVIDENCE };

/** The trip and the errors of a breaker one of whose detectors answers so. */
function answering(answer: unknown) {
  const odd: Detector = {
    kind: 'custom:odd',
    observe: () => answer as undefined,
    reset() {},
    snapshot: () => null,
    restore() {},
  };
  const breaker = new Breaker({ detectors: [() => odd] });
  const errors: string[] = [];
  breaker.on('error', ({ error, during }) => errors.push(`${during}: ${error}`));
  return { trip: breaker.observe(message('a', 'Hello.')), errors };
}

describe('a detector of the user', () => {
  it.each([
    true,
    { level: 'trip', kind: 'custom:odd', reason: 'no evidence' },
    { ...FINDING, level: 'stop' },
    { ...FINDING, reason: undefined },
    { ...FINDING, evidence: { ...EVIDENCE, indices: undefined } },
  ])('[BRK11] harms nobody with an answer that is no finding, and is told of: %j', (answer) => {
    const { trip, errors } = answering(answer);
    expect(trip).toBeUndefined();
    expect(errors).toEqual([
      'detector: TypeError: custom:odd: expected a finding with level, kind, reason and evidence, or nothing',
    ]);
  });

  it.each([undefined, null])('[BRK11] finds nothing with %s', (answer) => {
    expect(answering(answer)).toEqual({ trip: undefined, errors: [] });
  });

  it('[BRK11] trips with a finding', () => {
    expect(answering(FINDING)).toMatchObject({ trip: { kind: 'custom:odd' }, errors: [] });
  });
});
