import { describe, expect, it } from 'vitest';
import { executionSignal, joinBlocks, originOf } from '../../src/index.ts';

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
