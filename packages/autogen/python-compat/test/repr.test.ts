import { describe, expect, it } from 'vitest';
import { recordRepr, repr, str, typeText } from '../src/index.ts';

describe('repr', () => {
  it.each([
    ['plain', "'plain'"],
    ["it's", '"it\'s"'],
    ['say "hi"', '\'say "hi"\''],
    [`it's "so"`, `'it\\'s "so"'`],
    ['a\nb\tc\rd', "'a\\nb\\tc\\rd'"],
    ['back\\slash', "'back\\\\slash'"],
    ['\u0000\u001b', "'\\x00\\x1b'"],
    ['non\u00a0break', "'non\\xa0break'"],
    ['line\u2028end', "'line\\u2028end'"],
    ['tag \u{e0001}', "'tag \\U000e0001'"],
    ['naïve 😀', "'naïve 😀'"],
  ])('[PYC1] writes the text %j as %s', (value, expected) => {
    expect(repr(value)).toBe(expected);
  });

  it('[PYC1] writes lists, records and scalars as Python does', () => {
    expect(repr(['a', 1, 2.5, true, false, null])).toBe("['a', 1, 2.5, True, False, None]");
    expect(repr({ a: [], b: { c: 'd' } })).toBe("{'a': [], 'b': {'c': 'd'}}");
    expect(recordRepr('Call', { id: '1', isError: null })).toBe("Call(id='1', isError=None)");
  });
});

describe('str', () => {
  it('[PYC1] leaves a text as it is and writes anything else as its repr', () => {
    expect(str("it's")).toBe("it's");
    expect(str(["it's"])).toBe('["it\'s"]');
  });
});

describe('typeText', () => {
  it.each<[unknown, string]>([
    [1, 'int'],
    [1.5, 'float'],
    ['a', 'str'],
    [true, 'bool'],
    [null, 'NoneType'],
    [[], 'list'],
    [{}, 'dict'],
    [Object.create(null), 'dict'],
    [new Map(), 'Map'],
    [() => 1, 'function'],
  ])('[PYC2] names the type of %j %s', (value, name) => {
    expect(typeText(value)).toBe(`<class '${name}'>`);
  });
});
