import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AnswerRepeats } from '../../../src/detection/text/answer-repeats.ts';
import { type Repeated, StreamRepeats } from '../../../src/detection/text/stream-repeats.ts';
import { DEGENERATE, DEGENERATE_DATA, HEALTHY } from './repeated-texts.ts';

const LIMIT = 20;
const BEFORE = `${Array.from({ length: 400 }, (_, i) => `Finding ${i} is about part ${i * 7}.`).join(' ')}\n\n`;

interface Verdict {
  readonly at: number;
  readonly repeated: Repeated;
}

/** Where the pieces end with which a text is found out, and what it repeats. */
function verdict(pieces: Iterable<string>, isData = false): Verdict | undefined {
  const repeats = new StreamRepeats(LIMIT, isData);
  let at = 0;
  for (const piece of pieces) {
    const repeated = repeats.add(piece);
    at += piece.length;
    if (repeated !== undefined) return { at, repeated };
  }
  return undefined;
}

/** A text in pieces that end at these places. */
function cutAt(text: string, places: readonly number[]): string[] {
  const ends = [...new Set(places.map((place) => place % text.length))].sort((a, b) => a - b);
  return [...ends, text.length].map((end, i) => text.slice(ends[i - 1] ?? 0, end));
}

const going = (unit: string, length: number): string =>
  unit.repeat(Math.ceil(length / unit.length)).slice(0, length);

describe('an answer that streams', () => {
  it.each(Object.entries(DEGENERATE))('[REP14] has come to repeat %s', (_, unit) => {
    const due = Math.max(6_000, LIMIT * unit.length);
    const { at, repeated } = verdict(BEFORE + going(unit, 100_000)) as Verdict;
    expect(at - BEFORE.length).toBeGreaterThan(due - 10);
    expect(at - BEFORE.length).toBeLessThan(due + 3 * unit.length + 100);
    expect(unit + unit).toContain(repeated.text);
    expect(repeated.times).toBeGreaterThanOrEqual(LIMIT);
  });

  it.each(Object.entries(DEGENERATE_DATA))('[REP14] is given longer for %s', (_, unit) => {
    expect(verdict(BEFORE + going(unit, 31_000))).toBeUndefined();
    const { at } = verdict(BEFORE + going(unit, 100_000)) as Verdict;
    expect(at - BEFORE.length).toBeLessThan(32_000 + 200);
  });

  it('[REP14] is given longer for the same sentence in the arguments of a call', () => {
    const sentence = DEGENERATE['a sentence'] as string;
    expect(verdict(going(sentence, 31_000), true)).toBeUndefined();
    expect(verdict(going(sentence, 34_000), true)).toBeDefined();
  });

  it('[REP14] may say the same at length that is not the same to the letter', () => {
    const counted = Array.from({ length: 2_000 }, (_, i) => `I will check file ${i} once more. `);
    expect(verdict(counted)).toBeUndefined();
  });

  it.each(Object.entries(HEALTHY))('[REP15] may be %s', (_, text) => {
    expect(verdict(text)).toBeUndefined();
    expect(verdict(`${BEFORE}${text}\nThat is all.`)).toBeUndefined();
  });

  it('[REP16] is found out with the same character, whatever pieces it comes in', () => {
    const units = [...Object.values(DEGENERATE), ...Object.values(DEGENERATE_DATA)];
    const places = fc.array(fc.nat(), { maxLength: 200 });
    fc.assert(
      fc.property(fc.constantFrom(...units), fc.nat(5_000), places, (unit, skipped, ends) => {
        const text = BEFORE.slice(skipped) + going(unit, 45_000);
        const exact = verdict(text) as Verdict;
        const pieces = cutAt(text, ends);
        const found = verdict(pieces) as Verdict;
        let end = 0;
        for (const piece of pieces) if (end < exact.at) end += piece.length;
        expect(found).toEqual({ ...exact, at: end });
      }),
      { numRuns: 60 },
    );
  });

  it('[REP16] repeats what is said, what is thought and each call for itself', () => {
    const repeats = new AnswerRepeats(LIMIT);
    const sentence = DEGENERATE['a sentence'] as string;
    const add = (count: number, part: Parameters<AnswerRepeats['add']>[1]) =>
      repeats.add(sentence.repeat(count), part);
    for (let i = 0; i < 20; i++) {
      expect(add(8, 'text')).toBeUndefined();
      expect(repeats.add(`Thought ${i}.`, 'thought')).toBeUndefined();
      expect(add(40, `arguments ${i}`)).toBeUndefined();
    }
    expect(add(100, 'text')).toMatchObject({ text: expect.stringContaining('check') });
  });
});
