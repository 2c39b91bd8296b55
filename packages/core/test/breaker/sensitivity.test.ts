import { transcript } from '@teamfuse/testing';
import { describe, expect, it } from 'vitest';
import { Breaker, type BreakerOptions } from '../../src/index.ts';
import { staleText } from '../support/stale.ts';
import { warningsOf } from '../support/warnings.ts';

/** After how many signals a breaker trips; `undefined` if it does not. */
function tripAt(text: string, options: BreakerOptions): number | undefined {
  const breaker = new Breaker(options);
  for (const [i, signal] of transcript(text).entries()) if (breaker.observe(signal)) return i + 1;
  return undefined;
}

const line = 'A:"I will look into it now." ';
const stale = Array.from({ length: 20 }, (_, i) => `A:"${staleText(i)}"`).join(' ');

describe('sensitivity', () => {
  it('[BRK21] shifts every limit that is not set', () => {
    const at = (sensitivity: 'low' | 'normal' | 'high') => tripAt(line.repeat(9), { sensitivity });
    expect([at('high'), at('normal'), at('low')]).toEqual([2, 3, 4]);
  });

  it('[BRK21] leaves alone what is set', () => {
    expect(tripAt(line.repeat(9), { sensitivity: 'high', repetition: { limit: 5 } })).toBe(5);
  });

  it('[BRK21] shifts the judge as well', () => {
    const stoppedAt = (sensitivity: 'low' | 'high'): number | undefined =>
      tripAt(stale, { sensitivity, judge: () => 0.34 });
    expect(stoppedAt('high')).toBeDefined();
    expect(stoppedAt('low')).toBeUndefined();
  });

  it('[BRK21] refuses any other word and names the option', () => {
    expect(() => new Breaker({ sensitivity: 'very' as never })).toThrow("option 'sensitivity'");
  });
});

describe('a suspicion on the ladder', () => {
  const [talk, more] = [0, 9].map((from) =>
    Array.from({ length: 9 }, (_, i) => `${'AB'.charAt(i % 2)}:"${staleText(from + i)}"`).join(' '),
  ) as [string, string];

  function warnings(text: string, options: BreakerOptions): number {
    const breaker = new Breaker({ repetition: { limit: 30 }, ...options });
    const told = warningsOf(breaker);
    for (const signal of transcript(text)) breaker.observe(signal);
    return told.length;
  }

  it('[BRK22] tells the team once suspicion has built up, and again each time it builds up', () => {
    expect(warnings(talk, { reaction: 'ladder' })).toBe(1);
    const again = `${talk} A:"Row 4711 is gone." ${more}`;
    expect(warnings(again, { reaction: 'ladder' })).toBe(2);
  });

  it('[BRK22] does not unless it is asked for', () => {
    expect(warnings(talk, {})).toBe(0);
  });
});
