import { describe, expect, it } from 'vitest';
import {
  withoutNames,
  withoutNumbers,
  withoutPlaces,
  withoutTiedNumbers,
} from '../../../src/detection/failures/places.ts';

describe('a line of an error', () => {
  it.each([
    ['a place', 'src/a.ts:3:9: x fehlt', '/#: x fehlt'],
    ['a place in brackets', 'at f (src/a.ts(3,9))', 'at f (/#)'],
    ['a temporary file', 'no /tmp/x81/run.py', 'no /#'],
    ['the place of a shell', 'a.sh: Zeile 3: x fehlt', '/#: x fehlt'],
    ['a UUID', 'user 3f2a9c1e-7b6d-4e5f-8a9b-0c1d2e3f4a5b', 'user #'],
    ['a hash', 'commit 4fc9e8f1', 'commit #'],
    ['an address', 'at 0x1f', 'at #'],
    ['a moment', '2025-03-01T10:02:11Z x fehlt', '# x fehlt'],
    ['a date and a time', '2025-03-01 10:02:11,307: x fehlt', '# #: x fehlt'],
    ['a time in brackets', '[9:02:11] x fehlt', '[#] x fehlt'],
    ['a place in a folder of a day', 'log/2025-03-01/a.ts:3:9: x fehlt', '/#: x fehlt'],
    ['a place with a name like a time', 'a.10:02:11: x fehlt', '/#: x fehlt'],
    ['a duration', 'x fehlt nach 12 ms', 'x fehlt nach #'],
    ['blanks', 'x   fehlt\tin 3', 'x fehlt in 3'],
    ['blanks without a number', 'x   fehlt', 'x fehlt'],
  ])('[ERR3] does without %s', (_, line, masked) => {
    expect(withoutPlaces(line)).toBe(masked);
  });

  it('[ERR3] does without a number that is tied to something', () => {
    expect(withoutTiedNumbers('db:5432 (17) lost 3')).toBe('db# # lost 3');
  });

  it('[STO1] does without plain numbers', () => {
    expect(withoutNumbers('lost 3.5 of 12 a7')).toBe('lost # of # a7');
  });

  it('[ERR6] does without what is quoted and numbers', () => {
    expect(withoutNames("No 'vat' in B12")).toBe('no ? in b#');
  });
});
