import { describe, expect, it } from 'vitest';
import { Breaker, type Trip } from '../../src/index.ts';
import { message } from '../support/signals.ts';

/** Fifteen rounds of two speakers, each with one sentence in which only figures change. */
function rounds(first: (round: number) => string, second: (round: number) => string): Trip | null {
  const breaker = new Breaker();
  for (let round = 1; round <= 15; round++) {
    breaker.observe(message('accountant', first(round), round * 6000));
    breaker.observe(message('auditor', second(round), round * 6000 + 3000));
  }
  return breaker.trip ?? null;
}

const amount = (round: number): number => (round * 7919 + 1234) % 10_000;
const entry = (round: number): string =>
  `Page ${round}: the entries add up to ${amount(round)} euros, and the vouchers are there.`;

describe('one template over changing arguments', () => {
  it('[REP20] is left alone while others take its figures up', () => {
    const answer = (round: number): string =>
      `Noted for page ${round}. My own sum is ${amount(round)} euros before tax; please go on.`;
    expect(rounds(entry, answer)).toBeNull();
  });

  it('[REP20] trips when nobody answers its figures', () => {
    const stamp = (round: number): string =>
      `Still waiting for the report, as of ${amount(round)} on the clock; nothing has changed.`;
    expect(rounds(stamp, () => 'All right, then let us wait a little longer.')).not.toBeNull();
  });
});
