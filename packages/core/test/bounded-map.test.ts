import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BoundedMap } from '../src/kit.ts';

type Change = readonly ['set' | 'add' | 'delete' | 'clear', number];

const change: fc.Arbitrary<Change> = fc.tuple(
  fc.oneof(
    { arbitrary: fc.constantFrom('set' as const, 'add' as const), weight: 8 },
    { arbitrary: fc.constant('delete' as const), weight: 2 },
    { arbitrary: fc.constant('clear' as const), weight: 1 },
  ),
  fc.nat({ max: 9 }),
);

/** The entries after a change. */
function changed(
  entries: readonly (readonly [number, number])[],
  [what, key]: Change,
  value: number,
  size: number,
): readonly (readonly [number, number])[] {
  const others = entries.filter(([other]) => other !== key);
  if (what === 'clear') return [];
  if (what === 'delete') return others;
  if (what === 'set' || others.length === entries.length)
    return [...others, [key, value] as const].slice(-size);
  return entries.map((entry) => (entry[0] === key ? [key, value] : entry));
}

describe('a bounded map', () => {
  it('[BMP1] keeps the entries that were set last, whatever is deleted in between', () => {
    fc.assert(
      fc.property(fc.array(change), fc.integer({ min: 1, max: 5 }), (changes, size) => {
        const map = new BoundedMap<number, number>(size);
        let expected: readonly (readonly [number, number])[] = [];
        for (const [value, one] of changes.entries()) {
          const [what, key] = one;
          if (what === 'set' || what === 'add') map[what](key, value);
          else if (what === 'delete') map.delete(key);
          else map.clear();
          expected = changed(expected, one, value, size);
          expect(map.entries()).toEqual(expected);
        }
        expect(map.size).toBe(expected.length);
      }),
      { numRuns: 500 },
    );
  });

  it('[BMP2] finds what was set, until it is deleted or all is cleared', () => {
    const map = new BoundedMap<string, number>(3);
    for (const key of ['a', 'b', 'c']) map.set(key, key.charCodeAt(0));
    expect([map.get('b'), map.has('b'), map.get('z'), map.has('z')]).toEqual([
      98,
      true,
      undefined,
      false,
    ]);
    expect([map.delete('b'), map.delete('b'), map.has('b')]).toEqual([true, false, false]);
    map.clear();
    expect(map.entries()).toEqual([]);
  });

  it('[BMP3] hands back the entry that had to go for a new one', () => {
    const map = new BoundedMap<string, number>(2);
    expect([map.set('a', 1), map.set('b', 2), map.set('a', 3)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect([map.set('c', 4), map.set('d', 5)]).toEqual([
      ['b', 2],
      ['a', 3],
    ]);
  });

  it('[BMP4] says whether an entry that is added is new, and keeps the age of one that is not', () => {
    const map = new BoundedMap<string, number>(2);
    expect([map.add('a', 1), map.add('b', 2), map.add('a', 3)]).toEqual([true, true, false]);
    expect(map.entries()).toEqual([
      ['a', 3],
      ['b', 2],
    ]);
    expect(map.add('c', 4)).toBe(true);
    expect([map.has('a'), map.has('b'), map.has('c')]).toEqual([false, true, true]);
  });
});
