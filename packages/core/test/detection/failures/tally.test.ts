import { timeline } from '@teamfuse/testing';
import { describe, expect, it } from 'vitest';
import { NORMAL } from '../../../src/detection/detectors/built-in-detector.ts';
import { ExecutionStormDetector } from '../../../src/detection/detectors/execution-storm.ts';
import { readError } from '../../../src/detection/failures/error-text.ts';
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
