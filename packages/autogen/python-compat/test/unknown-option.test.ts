import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unknownOption } from '../src/index.ts';

const names = { maxTurns: true, clearHistory: true, message: true } as const;

describe('unknownOption', () => {
  it('[PYC9] finds nothing among options that exist', () => {
    expect(unknownOption({ maxTurns: 2, message: 'Hello.' }, names)).toBeUndefined();
  });

  it.each([
    ['max_turns', "in TypeScript it is 'maxTurns'"],
    ['clear__history', "in TypeScript it is 'clearHistory'"],
    ['maxTurn', "did you mean 'maxTurns'?"],
    ['maxturns', "did you mean 'maxTurns'?"],
    ['max_turn', "did you mean 'maxTurns'?"],
    ['mesage', "did you mean 'message'?"],
    ['zzz', 'the options are maxTurns, clearHistory, message'],
    ['toString', 'the options are maxTurns, clearHistory, message'],
    ['cache', 'keep a cache in the client'],
  ])('[PYC9] says what to write instead of %s', (option, advice) => {
    const known = { cache: 'keep a cache in the client' };
    expect(unknownOption({ message: '', [option]: 1 }, names, known)).toEqual({ option, advice });
  });

  it('[PYC9] says so where there are no options', () => {
    expect(unknownOption({ a: 1 }, {})).toEqual({ option: 'a', advice: 'there are none' });
  });

  it('[PYC9] finds every name that is none of the options', () => {
    fc.assert(
      fc.property(fc.string(), (option) => {
        const found = unknownOption({ [option]: 1 }, names);
        expect(found === undefined).toBe(Object.hasOwn(names, option));
      }),
    );
  });
});
