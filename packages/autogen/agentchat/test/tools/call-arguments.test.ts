import { expect, it } from 'vitest';
import { readCallArguments } from '../../src/tools/call-arguments.ts';

const read = (text: string) => readCallArguments({ id: '1', name: 'f', arguments: text });

it('[TOOL1] reads the arguments as JSON', () => {
  const args = { a: [1, 'é', null, true, -1500] };
  expect(read('{"a": [1, "\\u00e9", null, true, -1.5e3]}')).toEqual({ kind: 'arguments', args });
});

it('[TOOL2] reports a fault in the words of Python, with its place', () => {
  const text = "Error: Expecting ',' delimiter: line 1 column 9 (char 8)";
  expect(read('{"q": 1 "r": 2}')).toEqual({ kind: 'fault', text });
});

it('[TOOL3] survives nesting of any depth', () => {
  expect(read('['.repeat(200_000))).toMatchObject({ kind: 'fault' });
});

it.each([
  ['{"a": 1}', { a: 1 }],
  ['null', {}],
  ['[]', {}],
  ['""', {}],
])('[TOOL4] reads %s as arguments', (text, args) => {
  expect(read(text)).toEqual({ kind: 'arguments', args });
});

it.each([
  ['{', /^Error: Expecting property name enclosed in double quotes/],
  ['[1]', /^1 validation error for fargs\n {2}the arguments have to be an object, got \[1\]/],
  ['"x"', /^1 validation error for fargs/],
  ['true', /^1 validation error for fargs/],
])('[TOOL5] says what is wrong with %s', (text, fault) => {
  expect(read(text)).toEqual({ kind: 'fault', text: expect.stringMatching(fault) });
});
