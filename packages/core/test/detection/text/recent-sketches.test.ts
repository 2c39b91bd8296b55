import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RecentSketches, Sketch, SLOTS } from '../../../src/detection/text/recent-sketches.ts';
import { reading } from './texts.ts';

function sketchOf(text: string): Sketch {
  const sketch = new Sketch();
  sketch.draw(reading(text));
  return sketch;
}

const placesOf = ({ places, size }: Sketch): Set<number> => new Set(places.slice(0, size));

/** The share of places that two texts have in common, counted one by one. */
function shareOf(one: Sketch, other: Sketch): number {
  const [a, b] = [placesOf(one), placesOf(other)];
  const both = [...a].filter((place) => b.has(place)).length;
  return both === 0 ? 0 : both / (a.size + b.size - both);
}

const words = fc.array(
  fc.constantFrom(...'river mill bridge harbour market garden lantern winter'.split(' ')),
);
const texts = fc.array(
  words.map((all) => all.join(' ')),
  { minLength: 20, maxLength: 40 },
);

describe('how similar texts are', () => {
  it('[ANL16] is the share of their words that they have in common, among the latest sixteen', () => {
    fc.assert(
      fc.property(texts, fc.nat(40), (all, restart) => {
        let recent = new RecentSketches();
        const sketches = all.map(sketchOf);
        for (const [i, sketch] of sketches.entries()) {
          if (i === restart) {
            const json = JSON.parse(JSON.stringify(recent.snapshot()));
            recent = new RecentSketches();
            recent.restore('sketches', json);
          }
          recent.compare(sketch);
          for (let back = 1; back <= Math.min(i, SLOTS); back++) {
            const before = sketches[i - back] as Sketch;
            expect(recent.similarity(back, sketch.size)).toBe(shareOf(sketch, before));
          }
          recent.add(sketch);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('[ANL16] is nothing after a new beginning', () => {
    const recent = new RecentSketches();
    const sketch = sketchOf('the mill by the river');
    recent.add(sketch);
    recent.clear();
    recent.compare(sketch);
    expect(recent.similarity(1, sketch.size)).toBe(0);
    expect(recent.snapshot()).toEqual([]);
  });

  it('[ANL16] leaves out short words and what is volatile, and counts each word once', () => {
    expect(sketchOf('a to of 12:40:07').size).toBe(0);
    expect(sketchOf('river river mill river').size).toBe(2);
    const sketch = sketchOf('river mill harbour');
    sketch.draw(reading('river'));
    expect(placesOf(sketch)).toEqual(placesOf(sketchOf('river')));
    sketch.draw(reading('mill river'));
    expect(sketch.size).toBe(2);
  });
});
