import { describe, expect, it } from 'vitest';
import { parseJson } from '../../src/tools/json.ts';
import { findJsonFault } from '../../src/tools/json-fault.ts';

describe('parseJson', () => {
  it('[TOOL1] reads what is JSON', () => {
    expect(parseJson(' {"a": [1, "\\u00e9\\n", null, true, -1.5e3]} ')).toEqual({
      a: [1, 'é\n', null, true, -1500],
    });
  });

  it.each([
    ['not json', 'Expecting value: line 1 column 1 (char 0)'],
    ['', 'Expecting value: line 1 column 1 (char 0)'],
    ['{', 'Expecting property name enclosed in double quotes: line 1 column 2 (char 1)'],
    ['{"q": }', 'Expecting value: line 1 column 7 (char 6)'],
    ['{"q" 1}', "Expecting ':' delimiter: line 1 column 6 (char 5)"],
    ['{"q": 1 "r": 2}', "Expecting ',' delimiter: line 1 column 9 (char 8)"],
    ['{"q": 1,}', 'Expecting property name enclosed in double quotes: line 1 column 9 (char 8)'],
    ['[1,]', 'Expecting value: line 1 column 4 (char 3)'],
    ['[1', "Expecting ',' delimiter: line 1 column 3 (char 2)"],
    ['{}\n{}', 'Extra data: line 2 column 1 (char 3)'],
    ['"abc', 'Unterminated string starting at: line 1 column 1 (char 0)'],
    ['"a\nb"', 'Invalid control character at: line 1 column 3 (char 2)'],
    ['"\\x"', 'Invalid \\escape: line 1 column 2 (char 1)'],
    ['"\\u12g4"', 'Invalid \\uXXXX escape: line 1 column 3 (char 2)'],
    ['["😀", x]', 'Expecting value: line 1 column 7 (char 6)'],
  ])('[TOOL2] says of %j what is wrong and where', (text, message) => {
    expect(() => parseJson(text)).toThrow(new SyntaxError(message));
  });

  it('[TOOL3] survives nesting of any depth', () => {
    expect(findJsonFault('['.repeat(200_000))?.problem).toBe('Expecting value');
  });
});
