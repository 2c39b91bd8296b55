import { expect, it } from 'vitest';
import { shown } from '../src/index.ts';

it.each<[unknown, string]>([
  [3, '3'],
  ['3', '"3"'],
  ['x'.repeat(80), `"${'x'.repeat(60)}…"`],
  [null, 'null'],
  [undefined, 'undefined'],
  [Symbol('s'), 'Symbol(s)'],
  [[], 'an empty list'],
  [[1], 'a list'],
  [{}, 'an object'],
  [Object.create(null), 'an object'],
  [new Map(), 'a Map'],
  [shown, 'the function shown'],
])('[PYC10] shows a received value as %s', (value, text) => {
  expect(shown(value)).toBe(text);
});
