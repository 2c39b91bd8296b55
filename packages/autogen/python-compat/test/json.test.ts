import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonTextError, parseJson, spacedJson } from '../src/index.ts';
import { findJsonFault } from '../src/json-fault.ts';

describe('parseJson', () => {
  it('[PYC3] reads what JSON.parse reads', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(3), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        expect(parseJson(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it('[PYC3] reads the constants of Python, and leaves texts alone', () => {
    const text = '{"a": [NaN, Infinity, -Infinity], "NaN": "Infinity, \\"NaN"}';
    expect(parseJson(text)).toEqual({
      a: [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
      NaN: 'Infinity, "NaN',
    });
  });

  it.each([
    ['not json', 'Expecting value: line 1 column 1 (char 0)'],
    ['', 'Expecting value: line 1 column 1 (char 0)'],
    ['{', 'Expecting property name enclosed in double quotes: line 1 column 2 (char 1)'],
    ['{a: 1}', 'Expecting property name enclosed in double quotes: line 1 column 2 (char 1)'],
    ['{"q": }', 'Expecting value: line 1 column 7 (char 6)'],
    ['{"q" 1}', "Expecting ':' delimiter: line 1 column 6 (char 5)"],
    ['{"q": 1 "r": 2}', "Expecting ',' delimiter: line 1 column 9 (char 8)"],
    ['{"q": 1,}', 'Expecting property name enclosed in double quotes: line 1 column 9 (char 8)'],
    ['{\n "a":\n}', 'Expecting value: line 3 column 1 (char 8)'],
    ['[1,]', 'Expecting value: line 1 column 4 (char 3)'],
    ['[1', "Expecting ',' delimiter: line 1 column 3 (char 2)"],
    ['{}\n{}', 'Extra data: line 2 column 1 (char 3)'],
    ['"abc', 'Unterminated string starting at: line 1 column 1 (char 0)'],
    ['"a\nb"', 'Invalid control character at: line 1 column 3 (char 2)'],
    ['"\\x"', 'Invalid \\escape: line 1 column 2 (char 1)'],
    ['"\\u12g4"', 'Invalid \\uXXXX escape: line 1 column 3 (char 2)'],
    ['["😀", x]', 'Expecting value: line 1 column 7 (char 6)'],
  ])('[PYC4] says of %j what is wrong and where', (text, message) => {
    expect(() => parseJson(text)).toThrow(new JsonTextError(message));
  });

  it('[PYC5] judges nesting of any depth', () => {
    expect(findJsonFault('['.repeat(200_000))?.problem).toBe('Expecting value');
  });
});

describe('spacedJson', () => {
  it('[PYC6] puts a space after commas and colons', () => {
    expect(spacedJson({ a: [1, 'x'], b: null, c: undefined })).toBe('{"a": [1, "x"], "b": null}');
  });

  it('[PYC6] reads back as the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(spacedJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});
