import { describe, expect, it } from 'vitest';
import { InvalidSignalError } from '../../src/common/errors.ts';
import { Breaker } from '../../src/index.ts';

const circular: Record<string, unknown> = { page: 1 };
circular.self = circular;
const unreadable = {
  get page(): never {
    throw new Error('no');
  },
};

describe('the arguments of a requested call', () => {
  it.each([
    ['a big integer', 10n, '10'],
    ['a circular object', circular, { page: 1, self: '[circular]' }],
    ['a map', new Map([['page', 1]]), [['page', 1]]],
    ['a number that is none', { page: Number.NaN }, { page: null }],
    ['what cannot be read', unreadable, '[object Object]'],
    ['nothing', undefined, null],
  ])('[SIG9] may be %s', async (_, args, told) => {
    const errors: unknown[] = [];
    const signals: object[] = [];
    const breaker = new Breaker();
    breaker.on('error', ({ error }) => errors.push(error));
    breaker.on('signal', ({ signal }) => signals.push(signal));
    const call = { kind: 'tool-call', agent: 'ann', tool: 'look', args: args as never } as const;
    expect(await breaker.run(call, () => 'found')).toBe('found');
    expect(errors).toEqual([]);
    expect(signals).toMatchObject([{ args: told, result: 'found' }]);
  });

  it('[SIG9] count in laps as what they say', async () => {
    const breaker = new Breaker();
    const look = (page: number) =>
      breaker.run(
        { kind: 'tool-call', agent: 'ann', tool: 'look', args: new Map([['page', page]]) as never },
        () => 'found',
      );
    for (const page of [1, 2, 3, 4]) await look(page);
    expect(breaker.conversation().trip).toBeUndefined();
    await look(4);
    await expect(look(4)).rejects.toThrow('for the third time with the same arguments');
  });

  it('[SIG9] are named where they throw as they are read', () => {
    const call = {
      kind: 'tool-call',
      at: 0,
      agent: 'ann',
      tool: 'look',
      get args(): never {
        throw new Error('no');
      },
    } as const;
    const admitted = () => new Breaker().admit(call);
    expect(admitted).toThrow(InvalidSignalError);
    expect(admitted).toThrow('signal.args: expected readable data');
  });
});

it.each([
  ['language', { language: 1, code: 'ls' }],
  ['code', { language: 'sh', code: undefined }],
])('[SIG9] a requested run has its %s', (name, run) => {
  const request = { kind: 'execution', agent: 'ann', ...run } as never;
  expect(() => new Breaker().admit(request)).toThrow(`signal.${name}: expected text`);
});

it('[SIG2] counts a single character as one', () => {
  const request = { kind: 'turn', agent: 'ann', depth: '1' } as never;
  expect(() => new Breaker().admit(request)).toThrow('received a text of 1 character');
});
