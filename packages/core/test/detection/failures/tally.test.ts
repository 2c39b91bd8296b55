import { timeline } from '@teamfuse/testing';
import { describe, expect, it } from 'vitest';
import { NORMAL } from '../../../src/detection/detectors/built-in-detector.ts';
import { ExecutionStormDetector } from '../../../src/detection/detectors/execution-storm.ts';
import { readError } from '../../../src/detection/failures/error-text.ts';
import { isFewer, lowest } from '../../../src/detection/failures/tally.ts';
import type { Signal } from '../../../src/index.ts';

/** Lowers the default limit from five to three. */
const THREE = { ...NORMAL, factor: 0.6 };

/** Runs of one command that fail with these outputs. */
function storm(outputs: readonly string[], setting = THREE): string {
  const signals = outputs.map(
    (output, i): Signal => ({
      kind: 'execution',
      at: i * 20_000,
      agent: 'executor',
      language: 'sh',
      code: `run --step ${i}`,
      exitCode: 1,
      output,
    }),
  );
  return timeline(new ExecutionStormDetector({}, setting), signals);
}

function each(numbers: readonly number[], output: (n: number) => string): string[] {
  return numbers.map(output);
}

/** A list of items, one a line. */
function list(n: number, item: string): string {
  return Array.from({ length: n }, (_, i) => `${item} ${'abcdefghij'[i]}`).join('\n');
}

const FALLING = [9, 7, 6, 4, 3, 1];

describe('a number of failures that falls', () => {
  it.each<[string, (n: number) => string]>([
    ['with its list', (n) => `${list(n, '✗ Satz')}\n${n} Prüfungen schlugen fehl`],
    ['while another rises', (n) => `檢查結果：${n} 項未過，${12 - n} 項通過\nKeyError: 'vat'`],
    ['as the field of a report', (n) => `{"failures": ${n}, "error": "TypeError: no id"}`],
    ['in places that are named', (n) => list(n, 'sum.go:7:1: undefined:')],
  ])('[STO3] is progress %s', (_, output) => {
    expect(storm(each(FALLING, output))).toBe('......');
  });

  it('[STO3] is progress alone, if it is all that changes and does not go down by one each time', () => {
    expect(storm(each([90, 71, 44, 30, 12, 3], (n) => `noch ${n} Fehler offen`))).toBe('......');
  });

  it('[STO3] is a plateau while it stays', () => {
    const output = (n: number): string => `${list(n, 'x')}\n${n} tests failed`;
    expect(storm(each([9, 9, 6, 6, 4, 4, 2, 2], output))).toBe('........');
    expect(storm(each([9, 6, 6, 6], output))).toBe('...T');
  });
});

describe('a number that says nothing about failures', () => {
  it.each<[string, readonly number[], (n: number) => string]>([
    ['attempts that are left', [5, 4, 3, 2], (n) => `Anmeldung abgelehnt, noch ${n} Versuche`],
    ['attempts made and left', [4, 3, 2, 1], (n) => `intento ${5 - n}, quedan ${n}`],
    ['attempts that are made', [1, 2, 3, 4], (n) => `retry ${n} of 5 gave up`],
    ['a percentage', [80, 61, 40, 22], (n) => `stopped at ${n}% of the upload`],
    ['a process', [910, 702, 641, 405], (n) => `worker (${n}) was killed`],
  ])('[STO3] does not excuse a storm: %s', (_, numbers, output) => {
    expect(storm(each(numbers, output))).toMatch(/^\.{2,3}T/);
  });

  it.each<[string, (n: number) => string]>([
    ['a duration', (n) => `KeyError: 'vat'\nfinished in ${n}.4s`],
    ['a position', (n) => `main.py:${n}: KeyError: 'vat'`],
    ['a port', (n) => `ECONNREFUSED: cannot reach db:${n}`],
    ['what is free', (n) => `free ${n * 100 + 7} MB\nKeyError: 'vat'`],
  ])('[STO3] does not excuse the very same error: %s', (_, output) => {
    expect(storm(each([9, 7, 4], output))).toBe('..T');
  });

  it('[STO3] does not excuse errors of one kind that are otherwise different', () => {
    const tables = ['orders', 'users'];
    const output = (n: number): string => `KeyError: ${n} rows of ${tables[n % 2]} lack 'vat'`;
    const falling = [95, 92, 89, 82, 77, 70, 65, 60, 53, 44, 23, 12];
    expect(storm(each(falling, output), NORMAL)).toBe('..........TT');
  });

  it('[STO3] counts nothing in lines alike, which are the items of a list', () => {
    expect(readError('lost 3 of them').tally.numbers).toHaveLength(1);
    expect(readError('lost 3 of them\nlost 5 of them').tally.numbers).toEqual([]);
  });

  it('[STO3] excuses a storm for a while at most when it goes up and down', () => {
    const numbers = [512, 470, 530, 455, 498, 520, 483, 505];
    expect(storm(each(numbers, (n) => `el proceso usa ${n} unidades`))).toContain('T');
  });
});

const tallyOf = (output: string) => readError(output).tally;

describe('the numbers in an output', () => {
  const isOneThing = (one: string, other: string): boolean =>
    tallyOf(one).numbers[0]?.key === tallyOf(other).numbers[0]?.key;

  it.each([
    ['lost 3 of them', 'we lost 5 of those'],
    ['lost  3  of them', 'lost  5 of them'],
    ['lost 3', 'lost 5, and found'],
    ['[3] of them', '[5] of them'],
  ])('[STO3] are of one thing between the same words: %j, %j', (one, other) => {
    expect(isOneThing(one, other)).toBe(true);
  });

  it.each([
    ['lost 3 of them', 'found 5 of them'],
    ['lost 3 of them', 'lost 5 in them'],
    ['lost 3 of them', 'lost 2 5 of them'],
  ])('[STO3] are of two things between other words: %j, %j', (one, other) => {
    expect(isOneThing(one, other)).toBe(false);
  });

  it('[STO3] are those of the error first, then the last ones', () => {
    const rows = 'abcdefghij'.replaceAll(/./g, (row, i: number) => `${row} ${i + 20}\n`);
    const { numbers } = tallyOf(`error: 7 of them\n${rows}done`);
    expect(numbers.map(({ value }) => value)).toEqual([7, 29, 28, 27, 26, 25, 24, 23]);
  });

  it('[STO3] include that of the places with a message', () => {
    const { numbers } = tallyOf('a.go:3:1: undefined: x\nb.go:9:1: undefined: y');
    expect(numbers).toMatchObject([{ value: 2, rank: 0 }]);
    expect(tallyOf('2025-03-01T10:02:11Z: kaputt').numbers).toEqual([]);
  });

  it('[STO3] stand beside the number of lines with something in them', () => {
    expect(tallyOf('').lines).toBe(0);
    expect(tallyOf('\n \nno\r\n\t\n  way\n').lines).toBe(2);
    expect(tallyOf('no\n'.repeat(40_000)).lines).toBe(Math.ceil(65_536 / 3));
  });
});

describe('fewer failures', () => {
  /** Whether `now` has fewer than `before`, in a row that was never lower than `lowest`. */
  const fewer = (before: string, now: string, { low = before, isAlike = false } = {}): boolean =>
    isFewer(tallyOf(before), tallyOf(now), lowest(new Map(), tallyOf(low)), isAlike);

  it.each<[string, string, string, boolean]>([
    ['as many lines are gone', `${list(7, 'x')}\n7 left`, `${list(5, 'x')}\n5 left`, true],
    ['one line is gone', `${list(7, 'x')}\n7 left`, `${list(6, 'x')}\n6 left`, true],
    ['fewer lines are gone', `${list(7, 'x')}\n7 left`, `${list(5, 'x')}\n4 left`, false],
    ['only lines are gone', `${list(7, 'x')}\n7 left`, `${list(5, 'x')}\n7 left`, false],
    ['more are left on fewer lines', `${list(7, 'x')}\n7 left`, `${list(5, 'x')}\n8 left`, false],
    ['another number rises by as much', '7 bad, 3 good', '5 bad, 5 good', true],
    ['another number rises by less', '7 bad, 3 good', '5 bad, 4 good', false],
    ['both change by one', '7 bad, 3 good', '6 bad, 4 good', false],
    ['it is of something else', '7 bad\nx', '5 good', false],
  ])('[STO3] is a number that falls while %s', (_, before, now, is) => {
    expect(fewer(before, now)).toBe(is);
  });

  it.each<[string, string, string, boolean]>([
    ['only it changes', '90 bad, 3 good', '71 bad, 3 good', true],
    ['it changes by one', '90 bad, 3 good', '89 bad, 3 good', false],
    ['another changes, too', '90 bad, 3 good', '71 bad, 9 good', false],
    [
      'it does not name the error',
      "free 90 MB\nKeyError: 'vat'",
      "free 71 MB\nKeyError: 'vat'",
      false,
    ],
  ])('[STO3] is a number that falls in the same error while %s', (_, before, now, is) => {
    expect(fewer(before, now, { isAlike: true })).toBe(is);
    expect(fewer(before, now)).toBe(false);
  });

  it.each([
    ['70 bad', true],
    ['51 bad', true],
    ['50 bad', false],
    ['30 bad', false],
    ['30 good', true],
  ])('[STO3] is fewer than ever: after 90, 50 bad is so where the least was %s', (low, is) => {
    expect(fewer('90 bad', '50 bad', { low, isAlike: true })).toBe(is);
  });

  it('[STO3] keeps the lowest number of each thing that the latest output counts', () => {
    const lows = ['9 bad, 3 good', '7 bad, 5 good', '8 bad'].reduce(
      (before, output) => lowest(before, tallyOf(output)),
      new Map() as ReadonlyMap<number, number>,
    );
    expect([...lows.values()]).toEqual([7]);
  });
});
