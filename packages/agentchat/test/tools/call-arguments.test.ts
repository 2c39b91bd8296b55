import { expect, it } from 'vitest';
import { readCallArguments } from '../../src/tools/call-arguments.ts';

const read = (text: string) => readCallArguments({ id: '1', name: 'f', arguments: text });

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
