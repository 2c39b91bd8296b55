import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { textKey } from '../../src/postgres/text-key.ts';

/** Texts with what PostgreSQL cannot hold, and with what stands for it. */
const text = fc
  .array(fc.constantFrom('a', '\\', '0', 'u', '\u0000', '\ud800', '\udfff', '\ufffd', '💧'))
  .chain((parts) => fc.constantFrom(1, 200).map((times) => parts.join('').repeat(times)));

describe('the key of a text', () => {
  it('[PGC8] is well-formed, without NUL, and fits an index', () => {
    fc.assert(
      fc.property(text, (one) => {
        const key = textKey(one);
        expect(Buffer.from(key).toString()).toBe(key);
        expect(key).not.toContain('\u0000');
        expect(key.length).toBeLessThanOrEqual(500);
      }),
    );
  });

  it('[PGC8] is another one for another text', () => {
    fc.assert(
      fc.property(text, text, (one, other) => {
        expect(textKey(one) === textKey(other)).toBe(one === other);
      }),
      { numRuns: 2_000 },
    );
  });
});
