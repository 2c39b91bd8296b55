import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BoundedMap, executionSignal, joinBlocks, originOf } from '../../src/index.ts';

const ORIGIN = originOf('runner', 5, 0);
const BLOCK = { code: 'ls', language: 'sh' };

describe('an execution', () => {
  it('[KIT26] of several blocks is reported as one piece in the language of the first', () => {
    const blocks = [
      { code: 'a = 1\n', language: 'Python' },
      { code: 'print(a)\n', language: 'python' },
    ];
    expect(joinBlocks(blocks)).toEqual({ code: 'a = 1\nprint(a)', language: 'python' });
  });

  it('[KIT26] of no blocks is an empty piece of code', () => {
    expect(joinBlocks([])).toEqual({ code: '', language: '' });
  });

  it.each([
    [
      { exitCode: 3, output: 'no' },
      { exitCode: 3, output: 'no' },
    ],
    [{ exitCode: -9, output: '' }, { exitCode: null }],
    [
      { exitCode: 124, output: 'Timeout' },
      { exitCode: 124, timedOut: true },
    ],
  ])('[KIT27] with %j is reported as %j', (result, expected) => {
    expect(executionSignal(ORIGIN, BLOCK, result)).toMatchObject({ ...BLOCK, ...expected });
  });

  it('[KIT27] has timed out by the exit code 124 alone', () => {
    const signal = executionSignal(ORIGIN, BLOCK, { exitCode: 0, output: 'Timeout' });
    expect(signal).not.toHaveProperty('timedOut');
  });

  it.each(['Cancelled', 'two lines\nCancelled\n'])(
    '[KIT27] that was cancelled is not reported: %j',
    (output) => {
      expect(executionSignal(ORIGIN, BLOCK, { exitCode: 125, output })).toBeUndefined();
    },
  );

  it.each([
    { exitCode: 125, output: 'Cancelled the order' },
    { exitCode: 1, output: 'Cancelled' },
  ])('[KIT27] that only sounds cancelled is reported: %j', (result) => {
    expect(executionSignal(ORIGIN, BLOCK, result)).toMatchObject(result);
  });
});

describe('the origin of a signal', () => {
  it('[ADP23] has a depth inside nested work alone', () => {
    expect(originOf('ann', 5, 0)).toEqual({ agent: 'ann', at: 5 });
    expect(originOf('ann', 5, 0)).not.toHaveProperty('depth');
    expect(originOf('ann', 5, 2)).toEqual({ agent: 'ann', at: 5, depth: 2 });
  });
});

describe('a bounded map', () => {
  it('[KIT29] finds what was set, until it is deleted or all is cleared', () => {
    const map = new BoundedMap<string, number>(3);
    for (const key of ['a', 'b', 'c']) map.set(key, key.charCodeAt(0));
    expect([map.get('b'), map.has('b'), map.get('z'), map.has('z')]).toEqual([
      98,
      true,
      undefined,
      false,
    ]);
    expect([map.delete('b'), map.delete('b'), map.has('b')]).toEqual([true, false, false]);
    map.clear();
    expect(map.entries()).toEqual([]);
  });

  it('[KIT29] keeps the entries that were set last', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 9 })), fc.integer({ min: 1, max: 5 }), (keys, size) => {
        const map = new BoundedMap<number, number>(size);
        for (const [at, key] of keys.entries()) map.set(key, at);
        const latest = [...new Map(keys.map((key, at) => [key, at]))].sort(([, a], [, b]) => a - b);
        expect(map.entries()).toEqual(latest.slice(-size));
      }),
    );
  });

  it('[KIT29] says whether an entry that is added is new, and keeps the age of one that is not', () => {
    const map = new BoundedMap<string, number>(2);
    expect([map.add('a', 1), map.add('b', 2), map.add('a', 3)]).toEqual([true, true, false]);
    expect(map.entries()).toEqual([
      ['a', 3],
      ['b', 2],
    ]);
    expect(map.add('c', 4)).toBe(true);
    expect([map.has('a'), map.has('b'), map.has('c')]).toEqual([false, true, true]);
  });
});
