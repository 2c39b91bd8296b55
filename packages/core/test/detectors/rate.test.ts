import { describe, expect, it } from 'vitest';
import { RateDetector, type RateOptions } from '../../src/detectors/rate.ts';
import { timeline, transcript } from '../../src/testing/index.ts';

function rate(text: string, stepMs: number, options?: RateOptions): string {
  return timeline(new RateDetector(options), transcript(text, { stepMs }));
}

const refused = 'A>fetch("x")!"429 too many requests" ';

describe('RateDetector', () => {
  it('[RAT1] trips when a failing call is tried again and again without a pause', () => {
    expect(rate(refused.repeat(5), 100)).toBe('....T');
  });

  it('[RAT1] leaves retries alone that back off', () => {
    expect(rate(refused.repeat(8), 5000)).toBe('........');
  });

  it('[RAT5] trips when the very same is turned away twice as often with pauses that are no wait', () => {
    expect(rate(refused.repeat(10), 3000)).toBe('.........T');
  });

  it('[RAT5] leaves those alone who wait, or who are turned away with something else each time', () => {
    expect(rate(refused.repeat(12), 10_000)).toBe('............');
    const others = Array.from({ length: 12 }, (_, i) => refused.replace('"x"', `"x${i * i}y"`));
    expect(rate(others.join(''), 3000)).toBe('............');
  });

  it('[RAT6] trips at the twentieth refusal in a row, whatever the waits and whatever is asked', () => {
    expect(rate(refused.repeat(25), 60_000).indexOf('T')).toBe(19);
    const others = Array.from({ length: 25 }, (_, i) => refused.replace('"x"', `"x${i * i}y"`));
    expect(rate(others.join(''), 60_000).indexOf('T')).toBe(19);
  });

  it('[RAT5] does not count an error that is no refusal', () => {
    expect(rate(`A>fetch("x")!boom ${refused.repeat(10)}`, 3000)).toBe('..........T');
  });

  it('[RAT5] begins anew once a call gets through', () => {
    const through = 'A>fetch("x")=rows ';
    expect(rate(`${refused.repeat(9)}${through}${refused.repeat(9)}`, 3000)).not.toContain('T');
  });

  it('[RAT2] trips beyond a declared rate, and not at it', () => {
    const rates = [{ signal: 'message', max: 3, perMs: 1000 }] as const;
    expect(rate('A:a B:b A:c B:d', 100, { rates })).toBe('...T');
    expect(rate('A:a B:b A:c B:d', 400, { rates })).toBe('....');
  });

  it('[RAT3] refuses a rate of nothing and names the option', () => {
    const rates = [{ signal: 'message', max: 1, perMs: 0 }] as const;
    expect(() => new RateDetector({ rates })).toThrow("option 'rate");
  });
});
