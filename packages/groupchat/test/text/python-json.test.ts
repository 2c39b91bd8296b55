import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseJson } from '../../src/text/python-json.ts';
import { spacedJson } from '../../src/text/python-text.ts';

describe('the JSON reader', () => {
  test.each([
    ['', 'Expecting value: line 1 column 1 (char 0)'],
    ['{a: 1}', 'Expecting property name enclosed in double quotes: line 1 column 2 (char 1)'],
    ['{"a" 1}', "Expecting ':' delimiter: line 1 column 6 (char 5)"],
    ['{"a": 1 "b"}', "Expecting ',' delimiter: line 1 column 9 (char 8)"],
    ['[1,]', 'Expecting value: line 1 column 4 (char 3)'],
    ['{"a": 1,}', 'Expecting property name enclosed in double quotes: line 1 column 9 (char 8)'],
    ['1 2', 'Extra data: line 1 column 3 (char 2)'],
    ['"a', 'Unterminated string starting at: line 1 column 1 (char 0)'],
    ['"\\x"', 'Invalid \\escape: line 1 column 2 (char 1)'],
    ['"\n"', 'Invalid control character at: line 1 column 2 (char 1)'],
    ['{\n "a":\n}', 'Expecting value: line 3 column 1 (char 8)'],
  ])('[FN2] says of %j: %s', (text, message) => {
    expect(() => parseJson(text)).toThrow(message);
  });

  test('[FN2] accepts every text that JSON.parse accepts', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(3), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        expect(parseJson(text)).toEqual(JSON.parse(text));
        expect(JSON.parse(spacedJson(value))).toEqual(JSON.parse(text));
      }),
    );
  });

  test('[FN2] rejects every text that JSON.parse rejects, except NaN and Infinity', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'{}[]":,\\ntrue10-.e \n') }), (text) => {
        const accepted = (read: (text: string) => unknown) => {
          try {
            read(text);
            return true;
          } catch {
            return false;
          }
        };
        expect(accepted(parseJson)).toBe(accepted(JSON.parse));
      }),
      { numRuns: 2_000 },
    );
  });
});
