import { describe, expect, it } from 'vitest';
import { readOutcome } from '../../../src/detection/failures/failure.ts';
import { UNKNOWN } from '../../../src/detection/hashes.ts';
import { type JsonValue, type SignalError, signalError } from '../../../src/kit.ts';

const CALL = { kind: 'tool-call', at: 0, agent: 'a', tool: 't', args: {} } as const;

function ofError(error: SignalError): number | undefined {
  return readOutcome({ ...CALL, error }, UNKNOWN).failure?.fingerprint;
}

function ofResult(result: JsonValue): number | undefined {
  return readOutcome({ ...CALL, result }, UNKNOWN).failure?.fingerprint;
}

const thrown = (fields: object, message = 'later'): number | undefined =>
  ofError(signalError(Object.assign(new Error(message), fields)));

describe('a failure with an HTTP status', () => {
  it.each<[string, (said: string) => number | undefined]>([
    ['status', (said) => thrown({ status: 402 }, said)],
    ['statusCode', (said) => thrown({ statusCode: 402 }, said)],
    ['code as a number', (said) => thrown({ code: 402 }, said)],
    ['code as a text', (said) => thrown({ code: '402' }, said)],
    ['the status of a response', (said) => thrown({ response: { status: 402 } }, said)],
    ['a message that begins with it', (said) => thrown({}, `402 ${said}`)],
    ['a message of HTTP', (said) => thrown({}, `HTTP 402: ${said}`)],
    ['an error with a field', (said) => ofResult({ status: 402, error: said })],
    ['a message with a field', (said) => ofResult({ statusCode: 402, message: said, rid: said })],
    ['a detail with a field', (said) => ofResult({ status: 402, detail: said })],
    ['an object', (said) => ofResult({ error: { code: 402, message: said } })],
    ['a text', (said) => ofResult(`HTTP 402: ${said}`)],
    ['a text with a class', (said) => ofResult(`HTTPError: HTTP/1.1 402 ${said}`)],
    ['printed JSON', (said) => ofResult(JSON.stringify({ status: 402, error: said }))],
  ])('[ERR7] is the same whatever it says: %s', (_, of) => {
    expect(of('pay $5')).toBe(of('pay $7'));
    expect(of('pay $5')).toBeGreaterThan(0);
  });

  it('[ERR7] is the same one by the status alone, wherever that stands', () => {
    const status = thrown({ status: 404 });
    const others = [
      thrown({ code: '404' }),
      thrown({}, '404 Not Found'),
      ofResult('HTTP 404: no page'),
      ofResult({ status: 404, error: 'no page' }),
    ];
    expect(others).toEqual(others.map(() => status));
  });

  it.each<[string, () => (number | undefined)[]]>([
    ['another status', () => [thrown({ status: 402 }), thrown({ status: 500 })]],
    [
      'another code',
      () => [
        thrown({ status: 429, code: 'insufficient_quota' }),
        thrown({ status: 429, code: 'rate_limit' }),
      ],
    ],
    [
      'another name',
      () => [
        thrown({ status: 400, name: 'BadRequestError' }),
        thrown({ status: 400, name: 'SchemaError' }),
      ],
    ],
    [
      'another title',
      () =>
        ['Out of credit', 'No such user'].map((title) =>
          ofResult({ type: 'about:blank', title, status: 403, detail: 'no' }),
        ),
    ],
    [
      'another code in its error',
      () =>
        ['quota', 'rate'].map((code) => ofResult({ status: 429, error: { code, message: 'no' } })),
    ],
  ])('[ERR7] is another one with %s', (_, of) => {
    const [one, other] = of();
    expect(one).not.toBe(other);
  });

  it.each<[string, () => number | undefined]>([
    ['a code that is no status', () => thrown({ code: 'ECONNRESET' })],
    ['an exit code', () => thrown({ code: 1 })],
    ['a status that succeeds', () => thrown({ status: 200 })],
    ['a number of something else', () => thrown({}, '404.5 seconds')],
    ['a number in a message', () => thrown({}, 'read 3 of 404 rows')],
    ['a status among data', () => ofResult({ status: 404, checked: 120, total: 900 })],
    ['an error without one', () => ofResult({ error: 'no such table' })],
  ])('[ERR7] needs a status: %s', (_, of) => {
    expect(of()).toBe(0);
  });
});

describe('the status of a thrown value', () => {
  it('[ERR8] is told beside its code', () => {
    const error = Object.assign(new Error('no'), { code: 'insufficient_quota', status: 429 });
    expect(signalError(error)).toEqual({ message: 'no', code: 'insufficient_quota', status: 429 });
  });

  it('[ERR8] is that of the error that it only wraps, like its code', () => {
    const busy = Object.assign(new Error('busy'), { code: 'overloaded', status: 529 });
    const wrap = (cause: unknown): Error => new TypeError('busy', { cause });
    const told = { message: 'busy', code: 'overloaded', status: 529 };
    expect(signalError(wrap(busy))).toEqual(told);
    expect(signalError(wrap(wrap(busy)))).toEqual(told);
    expect(signalError(wrap(new Error('busy')))).toEqual({ message: 'busy', code: 'TypeError' });
  });

  it('[ERR8] is its own where it says something else, or wraps itself', () => {
    const gone = Object.assign(new Error('no such page'), { code: 'NOT_FOUND', status: 404 });
    const error = new TypeError('the index is old', { cause: gone });
    expect(signalError(error)).toEqual({ message: 'the index is old', code: 'TypeError' });
    const circular = new TypeError('again');
    circular.cause = circular;
    expect(signalError(circular)).toEqual({ message: 'again', code: 'TypeError' });
  });

  it.each([200, 399, 600, 404.5, '', null, 'down', {}])('[ERR8] is none: %j', (status) => {
    const error = { message: 'no', status, response: { status } };
    expect(signalError(error)).toEqual({ message: 'no' });
  });
});
