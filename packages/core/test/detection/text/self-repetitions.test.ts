import { describe, expect, it } from 'vitest';
import { LastPlaces } from '../../../src/detection/text/last-places.ts';
import { Sketch } from '../../../src/detection/text/recent-sketches.ts';
import { countSelfRepetitions } from '../../../src/detection/text/self-repetitions.ts';
import { reading } from './texts.ts';

function repetitionsIn(text: string): number {
  const reader = reading(text);
  const sketch = new Sketch();
  sketch.draw(reader);
  return countSelfRepetitions(reader, sketch);
}

const LINE = 'I will look into the mill by the river now. ';
/** Sixty-four different words, and one more. */
const WORDS = [...'abcdefgh']
  .flatMap((a) => [...'ijklmnopq'].map((b) => `${a}${b}ord`))
  .slice(0, 65);

describe('a text that repeats itself', () => {
  it.each<[string, string, number]>([
    ['ten words', LINE.repeat(12), 12],
    ['the same with another beginning', `Well, so be it. ${LINE.repeat(20)}`, 20],
    ['the same with a break', `${LINE.repeat(10)} But wait. ${LINE.repeat(10)}`, 20],
    ['sixty-four words', `${WORDS.slice(0, 64).join(' ')} `.repeat(4), 4],
  ])('[REP6] says how often: %s', (_, text, times) => {
    expect(repetitionsIn(text)).toBe(times);
  });

  it.each<[string, string]>([
    ['is short', LINE.repeat(5)],
    [
      'says something new each time',
      Array.from({ length: 12 }, (_, i) => `${LINE} ${WORDS[i]} ${WORDS[i + 20]}`).join(' '),
    ],
    [
      'has other numbers each time',
      Array.from({ length: 40 }, (_, i) => `row ${i * 31} holds ${i * 17}`).join('\n'),
    ],
    ['repeats more than sixty-four words', `${WORDS.join(' ')} `.repeat(4)],
    ['repeats a part', `${LINE.repeat(6)} ${WORDS.join(' ')}`],
    ['repeats nothing', WORDS.join(' ')],
  ])('[REP6] is none that %s', (_, text) => {
    expect(repetitionsIn(text)).toBe(0);
  });
});

describe('the last places of words', () => {
  it('[REP6] are known for each, however many there are, text by text', () => {
    const places = new LastPlaces();
    for (const count of [1000, 3, 5000]) {
      places.begin(count);
      const last = new Map<number, number>();
      for (let place = 0; place < count; place++) {
        const token = Math.imul(place % 700, 0x10001) - 300;
        expect(places.move(token, place)).toBe(last.get(token) ?? -1);
        last.set(token, place);
      }
    }
  });
});
