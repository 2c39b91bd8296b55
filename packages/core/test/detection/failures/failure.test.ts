import { describe, expect, it } from 'vitest';
import { readOutcome, readReply } from '../../../src/detection/failures/failure.ts';
import { type CommandHash, UNKNOWN } from '../../../src/detection/hashes.ts';
import type { Signal } from '../../../src/index.ts';
import type { JsonValue, SignalError } from '../../../src/kit.ts';

const BASE = { at: 0, agent: 'a' };
const COMMAND = 7 as CommandHash;

function call(result: JsonValue): Signal {
  return { kind: 'tool-call', ...BASE, tool: 't', args: {}, result };
}

function run(
  output: string,
  fields: { exitCode?: number | null; timedOut?: boolean } = {},
): Signal {
  return { kind: 'execution', ...BASE, language: 'sh', code: 'x', exitCode: 0, output, ...fields };
}

function denied(message: string): Signal {
  return { kind: 'tool-call', ...BASE, tool: 't', args: {}, error: { message } };
}

function hasFailed(signal: Signal): boolean {
  return readOutcome(signal, UNKNOWN).failure !== undefined;
}

const PAGE = `Error: what to do about it. ${'The page explains at length how it came about. '.repeat(30)}`;
const LOG = 'start\nTraceback (most recent call last):\n  File "a.py", line 1\nKeyError';

describe('whether a step failed', () => {
  it.each([
    ['an exit code', run('alles gut', { exitCode: 3 })],
    ['a killed process', run('', { exitCode: null })],
    ['a timeout', run('', { timedOut: true })],
    ['an error field', call({ error: '数据库连接失败' })],
    ['a list of errors', run('{"data":null,"errors":[{"message":"kein Feld"}]}')],
    ['a flag', call({ isError: true, content: 'refusé' })],
    ['JSON with an error in it', run('{"status":401,"detail":"nicht angemeldet"}\n')],
    ['how frameworks hand errors on', call('Error: Verbindung getrennt')],
    ['the class of the error', call('requests.exceptions.HTTPError: 500')],
    ['an HTTP status in front', call('HTTP 404: no page, ref 17')],
    ['the first line of a response', call('HTTP/1.1 503 Service Unavailable\r\n\r\nlater')],
    ['a status', call({ url: 'https://a.example/', status: 404 })],
    ['the answer that there is no such tool', call("Tool 't' not found")],
    ['that answer in words of another framework', call('Error: Function t not found.')],
    ['a status with what it means', call({ status: 402, title: 'CreditsDepleted' })],
  ])('[STO9] follows from %s', (_, signal) => {
    expect(hasFailed(signal)).toBe(true);
  });

  it.each([
    ['what was not found, unless it is the tool that was called', call('Tool hammer not found')],
    ['words for errors', call('0 errors, nothing failed, access denied never')],
    ['a page about errors', call(PAGE)],
    ['a traceback that was printed', run(LOG)],
    ['a response that succeeds', call('HTTP/1.1 200 OK')],
    ['a status that is told about', call('The page answers with HTTP 404.')],
    ['a printed status', run('HTTP 404: no page')],
    ['a word in an error field beside data', call({ error: 'none', rows: [3] })],
    ['an empty error field', call({ error: null, errors: [], exception: '', rows: 3 })],
    ['an error without anything in it', call({ error: {}, exception: [], rows: 3 })],
    ['no errors counted', run('{"errors": 0, "error": false, "status": 200}')],
    ['what a tool found in a file', call({ file: 'a.ts', errors: ['no semicolon'] })],
    ['an error further down', call({ log: [{ error: 'old' }], rows: 3 })],
    ['a number that is no status', run('{"status":4040,"error":null}')],
    ['JSON that is cut off', run('{"error": "x"')],
  ])('[STO9] does not follow from %s', (_, signal) => {
    expect(hasFailed(signal)).toBe(false);
  });

  it.each([
    "The user doesn't want to proceed with this tool use. The tool use was rejected.",
    'The user rejected this call',
    'The user rejected this tool use',
  ])('[RAT7] follows from a person who rejected the call: %s', (message) => {
    const { failure } = readOutcome(denied(message), UNKNOWN);
    expect(failure).toMatchObject({ isRefusal: true, isRejected: true });
  });

  it('[RAT7] is no rejection where a person is only spoken of', () => {
    const { failure } = readOutcome(denied('KeyError: The user rejected this call'), UNKNOWN);
    expect(failure).toMatchObject({ isRefusal: false, isRejected: false });
  });

  it.each<[string, JsonValue]>([
    ['exitCode', { exitCode: 1, output: 'FAIL sum.test.ts' }],
    ['exit_code', { exit_code: 127, stderr: 'kein Befehl' }],
    ['returncode', { returncode: -9, stdout: '' }],
    ['returnCode', { returnCode: 2 }],
    ['an exit code beside success', { success: true, exit_code: 1, output: 'FAIL' }],
    ['ok', { ok: false }],
    ['success', { success: false, message: 'kein Tarif', rows: [1] }],
    ['a status that says error', { status: 'error', data: null }],
    ['a status that says failed', { status: 'FAILED', job: 'nightly' }],
    ['errors and no other data', { data: null, errors: ['x'] }],
    ['JSON as text', '{"success": false, "rows": 3}'],
    ['an exit code in JSON as text', '{"exitCode": 1, "output": "FAIL"}'],
    ['an exit code in front', '<returncode>1</returncode>\n<output>\nnichts\n</output>'],
    ["an executor's text", 'exitcode: 1 (execution failed)\nCode output: nichts'],
  ])('[STO21] follows from %s', (_, result) => {
    expect(hasFailed(call(result))).toBe(true);
  });

  it.each<[string, JsonValue]>([
    ['an exit code of 0', { exitCode: 0, stderr: 'warning: FAIL is a word' }],
    ['one that is no number', { exitCode: null, exit_code: '1', returncode: true }],
    ['what is told of something else', { runs: [{ success: false }], last: { ok: false } }],
    ['a status of something else', { job: { status: 'failed' }, checks: { errors: ['x'] } }],
    ['no errors', { errors: [], success: true, ok: true, status: 'ok' }],
    ['success that is not known', { success: null, ok: 0, status: 'failover' }],
    ['an exit code of 0 in front', '<returncode>0</returncode>\nError: is what the page is called'],
    ['an exit code further down', 'The log:\n<returncode>1</returncode>'],
  ])('[STO21] does not follow from %s', (_, result) => {
    expect(hasFailed(call(result))).toBe(false);
  });

  it('[STO21] does not follow from what a run printed', () => {
    expect(hasFailed(run('{"success": false, "exitCode": 1, "status": "failed"}'))).toBe(false);
  });

  it('[STO21] quotes what was printed, and is the same as with a run', () => {
    const output = 'FAIL sum.test.ts\nAssertionError: expected 3 to be 4';
    const ran = readOutcome(run(output, { exitCode: 1 }), UNKNOWN).failure;
    const called = readOutcome(call({ exitCode: 1, durationMs: 31, output }), UNKNOWN).failure;
    expect(called).toMatchObject({ signature: ran?.signature, isReported: false });
    expect(called?.shown).toBe('AssertionError: expected 3 to be 4');
  });

  it('[STO21] takes an exit code without output for a failure of that command alone', () => {
    const silent = (command: number) =>
      readOutcome(call({ exitCode: 1, stdout: '', stderr: '' }), command as CommandHash).failure;
    expect(silent(1)?.signature).not.toBe(silent(2)?.signature);
    expect(silent(1)?.shown).toBe('exit code 1');
  });

  it('[STO22] is what the tool declares, and nothing else', () => {
    const declared = (isFailure: (result: JsonValue) => boolean, isUntrusted = false) => ({
      isUntrusted,
      isFailure,
    });
    const failed = (result: JsonValue, tool: ReturnType<typeof declared>) =>
      readOutcome(call(result), UNKNOWN, tool).failure !== undefined;
    const isEmpty = declared((result) => result === '');
    expect(failed('', isEmpty)).toBe(true);
    expect(failed({ success: false }, isEmpty)).toBe(false);
    expect(
      failed(
        '',
        declared((result) => result === '', true),
      ),
    ).toBe(true);
    const thrown: Signal = { ...call(null), result: undefined, error: { message: 'x' } } as never;
    expect(readOutcome(thrown, UNKNOWN, isEmpty).failure).toBeDefined();
  });

  it('[STO11] takes a status, and a word in an error field, for what may have been asked about', () => {
    const isReported = (signal: Signal) => readOutcome(signal, UNKNOWN).failure?.isReported;
    expect(isReported(call({ status: 402, title: 'CreditsDepleted' }))).toBe(true);
    expect(isReported(call({ error: 'none' }))).toBe(true);
    expect(isReported(call({ success: false, rows: 3 }))).toBe(true);
    expect(isReported(call({ success: false, error: 'no such table' }))).toBe(false);
    expect(isReported(call({ status: 401, error: 'Unauthorized' }))).toBe(false);
    expect(isReported(call({ error: { code: 7 } }))).toBe(false);
  });

  it.each([
    ['exitcode: 1 (execution failed)\nCode output: nichts', false],
    ['exitcode: 1\nnichts', false],
    ['<returncode>1</returncode>\n<output>nichts</output>', false],
    ['The script ran, then exited with an error (POSIX exit code: 2)', false],
    ['TypeError [ERR_INVALID_ARG]: path', true],
  ])('[STO4] reads a failure out of the message %j', (text, isAnswer) => {
    expect(readReply(text, isAnswer, COMMAND).failure).toBeDefined();
  });

  it.each([
    ['exitcode: 0 (execution succeeded)\nCode output: Fehler: keine', true],
    ['The log says "exitcode: 1 (execution failed)" here.', false],
    ['TypeError: that is what the page is about', false],
    ['Error handling comes next: we catch what the parser throws.', true],
  ])('[STO4] reads none out of the message %j', (text, isAnswer) => {
    expect(readReply(text, isAnswer, COMMAND).failure).toBeUndefined();
  });

  it('[STO6] reads the same error out of a run and of the message that tells of it', () => {
    const output = 'Liste\nSchlüssel fehlt';
    const ran = readOutcome(run(output, { exitCode: 1 }), COMMAND).failure;
    for (const text of [
      `exitcode: 1 (execution failed)\nCode output: ${output}`,
      `The script ran, then exited with an error (POSIX exit code: 1)\nIts output was:\n${output}`,
    ]) {
      expect(readReply(text, false, COMMAND).failure?.signature).toBe(ran?.signature);
    }
  });

  it.each<[SignalError, boolean]>([
    [{ message: 'demasiadas peticiones', code: '429' }, true],
    [{ message: 'später', code: 'RATE_LIMITED' }, true],
    [{ message: 'later', code: 'ThrottlingException' }, true],
    [{ message: 'later', code: 'overloaded_error' }, true],
    [{ message: '429 Too Many Requests, retry after 8 s' }, true],
    [{ message: 'HTTP/1.1 429 次数过多' }, true],
    [{ message: 'HTTP 503 Service Unavailable' }, true],
    [{ message: 'later', code: 'QuotaError', status: 429 }, true],
    [{ message: 'read 503 rows' }, false],
    [{ message: 'HTTP 500' }, false],
    [{ message: 'later', status: 402 }, false],
    [{ message: 'read 3 of 429 rows' }, false],
    [{ message: 'the belt is overloaded', code: 'E17' }, false],
  ])('[STO5] knows a call that was turned away by its code: %j', (error, isRefusal) => {
    const signal: Signal = { kind: 'tool-call', ...BASE, tool: 't', args: {}, error };
    expect(readOutcome(signal, UNKNOWN).failure?.isRefusal).toBe(isRefusal);
  });

  it.each([
    ['Error: Request failed with status code 429', true],
    ['HTTP 503: come back later', true],
    ['Error: read 3 of 429 rows', false],
    ['HTTP 404: no page', false],
  ])('[STO5] knows it by the text of a result, too: %s', (result, isRefusal) => {
    const signal = { kind: 'tool-call', ...BASE, tool: 't', args: {}, result } as const;
    expect(readOutcome(signal, UNKNOWN).failure?.isRefusal).toBe(isRefusal);
    const ran = readOutcome({ ...signal, executed: true }, UNKNOWN);
    expect(ran.failure?.isRefusal).toBe(false);
  });
});
