import { describe, expect, it } from 'vitest';
import { Breaker } from '../../../src/index.ts';
import { reading, typesIn } from './texts.ts';

describe('a name or a number in a result', () => {
  it.each([
    '12:40:07',
    '1:2:3',
    '2025-03-01T10:02:11',
    '2025-03-01T10:02:11.5Z',
    '30ms',
    '7.3s',
    '3m12s',
    '1h2m3s',
    '1h2m3secs',
    '1d2h3m4.5s',
    '4.33SECS',
    '4sec',
    '5us',
    '5ns',
    '2h30m',
    '1d2h30m',
    '1d4h',
  ])('[ANL13] is a time or a duration, whoever says it: %s', (text) => {
    expect([typesIn(text), typesIn(text, true)]).toEqual(['volatile', 'volatile']);
  });

  it.each([
    ['5 ms', 'volatile plain'],
    ['5 µs', 'volatile plain'],
    ['5µs', 'volatile plain'],
    ['5 us', 'volatile plain'],
    ['5 ns', 'volatile plain'],
    ['5 s', 'volatile plain'],
    ['4.33 SEC', 'volatile plain'],
    ['17 secs', 'volatile word'],
    ['5 m', 'digit plain'],
    ['5 as', 'digit plain'],
    ['5  s', 'digit plain'],
    ['5 msx', 'digit plain'],
    ['5 seconds', 'digit word'],
    ['5 items', 'digit word'],
  ])('[ANL13] is a duration with its unit behind it, and with nothing else: %s', (text, types) => {
    expect(typesIn(text)).toBe(types);
  });

  it.each([
    '4fc9e8',
    'aaaaa1',
    'fffff1',
    '4FCCCC',
    '4fcccc-zz',
    'run-4fcccc',
    'lib/4fcccc',
    'g1h2k',
    '1g2h3',
    'lib/g1h2k',
  ])('[ANL13] is an id, unless it is said: %s', (text) => {
    expect([typesIn(text), typesIn(text, true)]).toEqual(['volatile', 'name']);
  });

  it.each(['1234567890', '12345-67890'])(
    '[ANL13] is a long number, unless it is said: %s',
    (text) => {
      expect([typesIn(text), typesIn(text, true)]).toEqual(['volatile', 'number']);
    },
  );

  it.each([
    ['a time to the minute', '10:02', 'number'],
    ['a date', '2025-03-01', 'number'],
    ['a date with a full minute', '2025-03-01T10:02', 'name'],
    ['a date without a day', '1-2:3', 'number'],
    ['a number of nine digits', '12345-6789', 'number'],
    ['an address', '10.0.0.1', 'number'],
    ['minutes', '30m', 'name'],
    ['hours', '3h', 'name'],
    ['days', '12d', 'name'],
    ['minutes in words', '5min', 'name'],
    ['a name like a duration', 'v30ms', 'name'],
    ['a path with numbered parts', 'src/a1/b2/c3.ts', 'name'],
    ['a place of a cluster', 'node-a1-b2-c3', 'word name'],
    ['a number with a longer unit', '30msx', 'name'],
    ['five hexadecimal digits', '4fccc', 'name'],
    ['other letters among them', '4fcccg', 'name'],
    ['other letters between them', '4fcgccc', 'name'],
    ['letters before them', 'x4fcccc', 'name'],
    ['letters behind them', '4fccccx', 'name'],
    ['letters alone', 'decade/facade', 'name'],
    ['a few letters and digits', 'g1h2', 'name'],
    ['a few digits and letters', '1g2h', 'name'],
    ['a syllable with a digit', '가1', 'name'],
    ['a version', 'v1.2.3', 'name'],
    ['the version of a package', 'pkg@1.2.3', 'name'],
    ['a file of a day', 'report_2024_05_01.csv', 'name'],
  ])('[ANL13] carries meaning as %s: %s', (_, text, type) => {
    expect([typesIn(text), typesIn(text, true)]).toEqual([type, type]);
  });

  it.each([
    ['pads a time', 'took    12 ms', 'took 9 ms'],
    ['follows it', '30ms    done', '30ms done'],
    ['begins the text with it', '  12:40:07 done', '12:40:07 done'],
  ])('[ANL13] is masked with the blank that %s', (_, one, other) => {
    expect(reading(one).literal).toBe(reading(other).literal);
  });

  it.each([
    ['between words', 'the    mill', 'the mill'],
    ['with a name', 'the    v1 mill', 'the v1 mill'],
  ])('[LAP2] is not the same with other blanks %s', (_, one, other) => {
    expect(reading(one).literal).not.toBe(reading(other).literal);
  });

  /** At which call a tool is stopped that is asked for the same again and again. */
  function stoppedAt(resultOf: (i: number) => string): number | undefined {
    const breaker = new Breaker({ now: () => 0 });
    const call = { kind: 'tool-call', agent: 'a', tool: 'release', args: {} } as const;
    return [1, 2, 3, 4, 5, 6].find(
      (i) => breaker.observe({ ...call, at: i, result: resultOf(i) }) !== undefined,
    );
  }

  it.each([
    ['another version', (i: number) => `Released v1.2.${i}`],
    ['another file', (i: number) => `Wrote src/part-${i}/b.ts`],
  ])('[ANL13] is progress, if it is %s each time', (_, resultOf) => {
    expect(stoppedAt(resultOf)).toBeUndefined();
  });

  it.each([
    ['the same version', () => 'Released v1.2.3'],
    ['the same version under another id', (i: number) => `Released v1.2.3 as g${i}h2k${i}`],
  ])('[ANL13] is none, if it is %s each time', (_, resultOf) => {
    expect(stoppedAt(resultOf)).toBe(3);
  });
});
