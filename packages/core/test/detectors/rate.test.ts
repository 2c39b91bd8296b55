import { describe, expect, it } from 'vitest';
import { Analyzer } from '../../src/analysis/analyzer.ts';
import { RateDetector, type RateOptions } from '../../src/detectors/rate.ts';
import type { Signal } from '../../src/index.ts';
import { timeline, transcript } from '../../src/testing/index.ts';

function rate(text: string, stepMs: number, options?: RateOptions): string {
  return timeline(new RateDetector(options), transcript(text, { stepMs }));
}

const failed = 'A>fetch("x")!"500 Server error" ';
const refused = 'A>fetch("x")!"429 too many requests" ';
const rejected = `A>fetch("x")!"The user doesn't want to proceed with this tool use." `;
/** Refused each time, with other arguments. */
function others(times: number): string {
  return Array.from({ length: times }, (_, i) => refused.replace('"x"', `"x${i * i}y"`)).join('');
}

describe('RateDetector', () => {
  it('[RAT1] trips when a failing call is tried again and again without a pause', () => {
    expect(rate(failed.repeat(5), 100)).toBe('....T');
    expect(rate(failed.repeat(5), 1000)).toBe('.....');
  });

  it.each([
    ['a model was asked', 'A#900/40 '],
    ['its agent spoke', 'A:"Let me try another way." '],
    ['another agent spoke', 'B:"Please try another way." '],
  ])('[RAT1] leaves failures alone between which %s, however fast', (_, thought) => {
    expect(rate(`${failed}${thought}`.repeat(8), 100)).not.toContain('T');
  });

  it('[RAT1] does not take a call that worked for a thought', () => {
    expect(rate(`${failed}A>clock()=12:00 `.repeat(5), 100)).toBe('........T.');
  });

  it('[RAT5] trips when a service turns the same call away five times in a row', () => {
    expect(rate(refused.repeat(6), 3000)).toBe('....TT');
    expect(rate(refused.repeat(4), 3000)).toBe('....');
    expect(rate(refused.repeat(4), 3000, { limit: 3 })).toBe('..TT');
  });

  it('[RAT5] trips whatever is said in between', () => {
    expect(rate(`A:"Let me try again." ${refused}`.repeat(5), 3000)).toBe('.........T');
  });

  it('[RAT5] leaves retries alone that back off, or wait as long as services ask for', () => {
    const waits = [0, 2000, 4000, 8000, 16_000, 32_000, 64_000];
    expect(rate(waits.map((ms) => `+${ms} ${refused}`).join(''), 10)).not.toContain('T');
    expect(rate(refused.repeat(12), 15_000)).not.toContain('T');
    expect(rate(refused.repeat(12), 14_000)).toContain('T');
  });

  it('[RAT5] leaves those alone who are turned away with something else each time', () => {
    expect(rate(others(12), 3000)).toBe('............');
  });

  it('[RAT5] trips at half as many refusals of one call that was denied', () => {
    const denied = transcript('A>fetch("x")!"not allowed" '.repeat(10)).map((call) => ({
      ...call,
      executed: false,
    })) as Signal[];
    expect(timeline(new RateDetector(), denied)).toBe('.........T');
    expect(timeline(new RateDetector({ refusals: 8 }), denied.slice(0, 4))).toBe('...T');
  });

  it('[RAT6] trips at the twentieth refusal in a row, whatever the waits and whatever is asked', () => {
    expect(rate(refused.repeat(25), 60_000).indexOf('T')).toBe(19);
    expect(rate(others(25), 60_000).indexOf('T')).toBe(19);
  });

  it('[RAT7] leaves a person alone who rejects one call after another', () => {
    const edits = Array.from({ length: 30 }, (_, i) => rejected.replace('"x"', `"x${i * i}y"`));
    expect(rate(edits.join(''), 3000)).not.toContain('T');
  });

  it('[RAT7] trips when a person rejects the same call over and over', () => {
    expect(rate(rejected.repeat(12), 3000)).toContain('T');
  });

  it('[RAT5] does not count an error that is no refusal', () => {
    expect(rate(`A>fetch("x")!boom ${refused.repeat(5)}`, 3000)).toBe('.....T');
  });

  it('[RAT5] begins anew once a call gets through', () => {
    const through = 'A>fetch("x")=rows ';
    expect(rate(`${refused.repeat(4)}${through}${refused.repeat(4)}`, 3000)).not.toContain('T');
  });

  it('[RAT8] is certain, and declared where a rate is', () => {
    const basis = (text: string, options?: RateOptions): unknown => {
      const analyzer = new Analyzer();
      const detector = new RateDetector(options);
      const found = transcript(text, { stepMs: 100 }).map((signal) =>
        detector.observe(analyzer.observe(signal)),
      );
      return found.at(-1)?.basis;
    };
    expect(basis(failed.repeat(5))).toBe('certain');
    expect(basis(refused.repeat(5))).toBe('certain');
    const rates = [{ signal: 'message', max: 1, perMs: 1000 }] as const;
    expect(basis('A:a B:b', { rates })).toBe('declared');
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
