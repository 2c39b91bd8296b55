import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { describeDifference, differences } from '../../src/harness/difference.ts';
import type { Json } from '../../src/harness/json.ts';

const json = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<Json>;

describe('differences', () => {
  test('[CONF14] of a value and its copy are none', () => {
    fc.assert(
      fc.property(json, (value) => {
        const copy = JSON.parse(JSON.stringify(value));
        expect(differences(JSON.parse(JSON.stringify(value)), copy)).toEqual([]);
      }),
    );
  });

  test('[CONF14] are found whenever two values are not equal', () => {
    fc.assert(
      fc.property(json, json, (one, other) => {
        const [left, right] = [one, other].map((value) => JSON.parse(JSON.stringify(value)));
        let isEqual = true;
        try {
          expect(left).toEqual(right);
        } catch {
          isEqual = false;
        }
        expect(differences(left, right).length === 0).toBe(isEqual);
      }),
    );
  });

  test('[CONF14] name the place, also of values that one side lacks', () => {
    const expected = { steps: [{ stop: 'here', 'odd key': 1 }] };
    const got = { steps: [{ stop: 'there' }, {}] };
    expect(differences(expected, got)).toEqual([
      { path: '.steps[0].stop', expected: 'here', got: 'there' },
      { path: '.steps[0]["odd key"]', expected: 1 },
      { path: '.steps[1]', got: {} },
    ]);
  });

  test('[CONF14] show an error as a whole', () => {
    const expected = { error: { type: 'ValueError', message: 'no' } };
    const got = { error: { type: 'ValueError', message: 'yes' } };
    const [found] = differences(expected, got);
    expect(found && describeDifference(found)).toBe(
      '.error: expected {"type":"ValueError","message":"no"}, got {"type":"ValueError","message":"yes"}',
    );
  });
});
