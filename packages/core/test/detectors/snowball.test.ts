import { describe, expect, it } from 'vitest';
import type { Said } from '../../src/analysis/step.ts';
import { Snowball } from '../../src/detectors/snowball.ts';
import { said, step } from '../support/steps.ts';

/** At which messages of so many tokens five of them have grown to three times as many. */
function grown(tokens: readonly number[], message: Partial<Said> = { isVariant: true }): number[] {
  const snowball = new Snowball(3, 5);
  return tokens.flatMap((size, index) => {
    const found = snowball.observe(step({ index, tokens: size, said: said(message) }));
    return found ? [index] : [];
  });
}

describe('Snowball', () => {
  it('[DRI5] finds messages of which each is longer than the one before', () => {
    expect(grown([100, 150, 200, 250])).toEqual([]);
    expect(grown([100, 150, 200, 250, 300])).toEqual([4]);
  });

  it('[DRI5] goes by the one they began with', () => {
    expect(grown([100, 150, 200, 250, 299])).toEqual([]);
    expect(grown([100, 150, 200, 250, 299, 301])).toEqual([5]);
  });

  it('[DRI5] begins afresh with a message that is no longer than the one before', () => {
    expect(grown([100, 200, 200, 300, 400, 500])).toEqual([]);
    expect(grown([100, 200, 200, 300, 400, 500, 600])).toEqual([6]);
    expect(grown([100, 300, 200, 240, 280, 320, 360])).toEqual([]);
  });

  it('[DRI5] leaves growth alone that is not made of what was said', () => {
    expect(grown([100, 150, 200, 250, 300], { isVariant: false })).toEqual([]);
    expect(grown([100, 150, 200, 250, 300], { isVariant: true, newWords: 6 })).toEqual([]);
    expect(grown([100, 150, 200, 250, 300], { isVariant: true, newWords: 5 })).toEqual([4]);
  });
});
