import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InvalidSignalError } from '../../src/index.ts';
import { parseSignal } from '../../src/kit.ts';
import { message, ONE_OF_EACH } from '../support/signals.ts';

describe('parseSignal', () => {
  it.each(ONE_OF_EACH.map((signal) => [signal.kind, signal] as const))(
    '[SIG1] gives a valid %s back as it is',
    (_kind, signal) => {
      expect(parseSignal(signal)).toBe(signal);
    },
  );

  it('[SIG1] leaves fields alone that it does not know', () => {
    const extended = { ...message('a', 'x'), mood: 'good' };
    expect(parseSignal(extended)).toBe(extended);
  });

  const malformed: readonly (readonly [field: string, expected: string, signal: unknown])[] = [
    ['', 'an object', 'hello'],
    ['', 'an object', null],
    ['', 'signal: expected an object', []],
    ['kind', 'one of message, tool-call', { kind: 'shout' }],
    ['kind', 'one of message', { kind: 'toString' }],
    ['at', 'a finite number', { ...message('a', 'x'), at: Number.NaN }],
    ['agent', 'text', { ...message('a', 'x'), agent: 7 }],
    ['text', 'text', { kind: 'message', at: 0, agent: 'a' }],
    ['role', 'one of user, assistant, system', { ...message('a', 'x'), role: 'tool' }],
    ['depth', 'a whole number', { ...message('a', 'x'), depth: 1.5 }],
    ['exitCode', 'a whole number, or null', { ...ONE_OF_EACH[3], exitCode: '1' }],
    ['costUsd', 'US dollars of at least 0, or null', { ...ONE_OF_EACH[5], costUsd: -1 }],
    ['path', 'an array of text', { ...ONE_OF_EACH[7], path: ['root', 1] }],
    ['error.message', 'text', { ...ONE_OF_EACH[2], error: {} }],
  ];
  it.each(malformed)('[SIG2] names the bad field %s and expects %s', (field, expected, signal) => {
    const error = errorOf(signal);
    expect(error.field).toBe(field);
    expect(error.message).toContain(expected);
  });

  it('[SIG3] wants exactly one of result and error of a tool call', () => {
    expect(errorOf({ ...ONE_OF_EACH[1], error: { message: 'x' } }).field).toBe('result');
    expect(errorOf({ kind: 'tool-call', at: 0, agent: 'a', tool: 't', args: {} }).field).toBe(
      'result',
    );
  });

  it('[SIG3] wants an error of a call that was not executed', () => {
    expect(errorOf({ ...ONE_OF_EACH[1], executed: false }).field).toBe('error');
  });

  it('[SIG4] wants a text or a decision of a person', () => {
    expect(errorOf({ kind: 'human-input', at: 0, agent: 'p' }).field).toBe('text');
  });

  it('[SIG5] names the path of what is not JSON', () => {
    const args = { filter: [{ since: 10n }] };
    expect(errorOf({ ...ONE_OF_EACH[1], args }).field).toBe('args.filter[0].since');
  });

  it('[SIG5] refuses data that goes in circles, without hanging', () => {
    const args: Record<string, unknown> = {};
    args.self = args;
    expect(errorOf({ ...ONE_OF_EACH[1], args }).message).toContain('at most 256 levels');
  });

  it.each([new Date(0), new Map(), { since: new Date(0) }])(
    '[SIG5] refuses an instance of a class, of which JSON would keep something else: %j',
    (args) => {
      expect(errorOf({ ...ONE_OF_EACH[1], args }).message).toContain('expected JSON');
    },
  );

  it('[SIG6] takes a field that cannot be read for a malformed signal', () => {
    const args = Object.defineProperty({}, 'secret', {
      enumerable: true,
      get: () => {
        throw new Error('not for you');
      },
    });
    expect(errorOf({ ...ONE_OF_EACH[1], args }).message).toContain('readable data');
  });

  it('[SIG6] throws nothing but InvalidSignalError, whatever it is given', () => {
    fc.assert(
      fc.property(fc.anything({ withBigInt: true, withDate: true }), (value) => {
        expect(errorOf(value)).toBeInstanceOf(InvalidSignalError);
      }),
    );
  });
});

function errorOf(value: unknown): InvalidSignalError {
  try {
    parseSignal(value);
  } catch (error) {
    if (error instanceof InvalidSignalError) return error;
    throw error;
  }
  throw new Error('was taken as a signal');
}
