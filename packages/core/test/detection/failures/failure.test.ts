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

/** JSON of this length that reports an error. */
function padded(length: number): string {
  return `{"error": "${'x'.repeat(length - 13)}"}`;
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
    ['JSON between blank lines', call('\n {"error": "kaputt"}\n')],
    ['JSON with an error in it', run('{"status":401,"detail":"nicht angemeldet"}\n')],
    ['JSON as long as it may be', call(padded(16_384))],
    ['how frameworks hand errors on', call('Error: Verbindung getrennt')],
    ['an error of a thousand characters', call(`Error: ${'x'.repeat(993)}`)],
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
    ['a longer text', call(`Error: ${'x'.repeat(994)}`)],
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
    ['JSON within a text', run('{"error": "x"} is what it said}')],
    ['JSON that is longer', call(padded(16_385))],
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
    expect(isReported(call({ status: 401, error: 'Unauthorized', at: '/me' }))).toBe(false);
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

  it('[STO5] knows it by the status in a result', () => {
    const of = (status: number, executed?: boolean) =>
      readOutcome(
        { ...call({ status, title: 'x' }), ...(executed && { executed }) } as Signal,
        UNKNOWN,
      ).failure?.isRefusal;
    expect(of(429)).toBe(true);
    expect(of(404)).toBe(false);
    expect(of(429, true)).toBe(false);
  });

  it('[STO5] takes the word of whoever says whether a call ran', () => {
    const of = (message: string, executed: boolean) =>
      readOutcome({ ...denied(message), executed } as Signal, UNKNOWN).failure?.isRefusal;
    expect(of('HTTP 429', true)).toBe(false);
    expect(of('no such table', false)).toBe(true);
  });

  it('[RAT7] follows from the code of a guard', () => {
    const error = { message: 'not this one', code: 'REJECTED' };
    const { failure } = readOutcome({ ...denied(''), error } as Signal, UNKNOWN);
    expect(failure).toMatchObject({ isRefusal: true, isRejected: true });
  });
});

describe('what is told of a step', () => {
  const usage = { kind: 'usage', ...BASE, model: 'm', inputTokens: 1, outputTokens: 1 } as const;
  const targetOf = (signal: Signal): string | undefined => {
    const { failure, success } = readOutcome(signal, COMMAND);
    return (failure ?? success)?.target;
  };

  it.each<[string, Signal, Signal]>([
    ['code', run('x', { exitCode: 1 }), run('x')],
    ['tool t', denied('x'), call('x')],
    ['tool t', call('exitcode: 1\nx'), call('exitcode: 0\nx')],
    ['model m', { ...usage, error: { message: 'x' } }, usage],
  ])('[STO1] belongs to one target, whether it failed or not: %s', (target, failing, other) => {
    expect(targetOf(failing)).toBe(target);
    expect(targetOf(other)).toBe(target);
    expect(readOutcome(failing, COMMAND).failure?.command).toBe(COMMAND);
    expect(readOutcome(other, COMMAND)).toEqual({ success: { target, command: COMMAND } });
  });

  it('[STO1] is a failure of its own making, unless it says otherwise', () => {
    expect(readOutcome(run('x', { exitCode: 1 }), COMMAND).failure).toMatchObject({
      isRefusal: false,
      isRejected: false,
      isReported: false,
      isUntrusted: false,
    });
  });

  it('[STO1] is nothing for a message', () => {
    expect(readOutcome({ kind: 'message', ...BASE, text: 'KeyError: x' }, COMMAND)).toEqual({});
  });

  it('[STO5] says whether a model turned its call away', () => {
    const of = (error: SignalError) => readOutcome({ ...usage, error }, COMMAND).failure?.isRefusal;
    expect(of({ message: 'later', code: '429' })).toBe(true);
    expect(of({ message: 'later', code: 'refused' })).toBe(false);
  });

  it.each<[string, Signal, string]>([
    ['a line of it', denied('no such table'), 'no such table'],
    [
      'its code before it',
      { ...denied(''), error: { message: 'no', code: 'E7' } } as Signal,
      'E7: no',
    ],
    [
      'it alone, if it has its code',
      { ...denied(''), error: { message: 'no E7', code: 'E7' } } as Signal,
      'no E7',
    ],
    ['its code alone', { ...denied(''), error: { message: '', code: 'E7' } } as Signal, 'E7'],
    ['nothing', denied(''), ''],
    ['a time-out', run('at work', { timedOut: true }), 'timeout: at work'],
    ['a killed run', run('', { exitCode: null }), 'timeout'],
    ['an exit code', run(' \n', { exitCode: 3 }), 'exit code 3'],
    ['the exit code of a tool', call('exitcode: 4\n \n'), 'exit code 4'],
    ['the last line of its fields', call({ exitCode: 4, out: 'a', err: 'b fehlt' }), 'b fehlt'],
    ['an error in fields', call({ status: 402, error: 'pay first' }), '402: pay first'],
    ['a message in an error', call({ error: { code: 402, message: 'pay' } }), '402: pay'],
    ['the content of an error', call({ isError: true, content: [{ text: 'refusé' }] }), 'refusé'],
    ['fields without a text', call({ ok: false, n: 3 }), '{"ok":false,"n":3}'],
    ['text without a message', call('{"ok": false}'), '{"ok": false}'],
    ['that there is no tool', call('Tool t not found'), 'Tool t not found'],
  ])('[STO10] quotes %s', (_, signal, shown) => {
    expect(readOutcome(signal, COMMAND).failure?.shown).toBe(shown);
  });

  it('[STO22] quotes a result that the tool declares a failure', () => {
    const declared = { isUntrusted: false, isFailure: () => true };
    const of = (result: JsonValue) => readOutcome(call(result), COMMAND, declared).failure?.shown;
    expect(of('none left')).toBe('none left');
    expect(of({ left: 0 })).toBe('{"left":0}');
  });

  it('[STO21] is the same error of the same call alone, where only a field says that it failed', () => {
    const of = (result: JsonValue, command: number) =>
      readOutcome(call(result), command as CommandHash).failure?.signature;
    const failed = { success: false, message: 'kein Tarif' };
    expect(of(failed, 1)).toBe(of(failed, 1));
    expect(of(failed, 1)).not.toBe(of(failed, 2));
    const told = { success: false, error: 'kein Tarif' };
    expect(of(told, 1)).toBe(of(told, 2));
    const marked = { success: false, error: { message: 'kein Tarif' } };
    expect(of(marked, 1)).toBe(of(marked, 2));
  });

  it('[RED10] follows from no text of an untrusted tool', () => {
    const untrusted = { isUntrusted: true, isFailure: undefined };
    expect(readOutcome(call('exitcode: 1\nx'), COMMAND, untrusted).failure).toBeUndefined();
    expect(readOutcome(call({ ok: false }), COMMAND, untrusted).success).toBeDefined();
    const failing = (error: SignalError) =>
      readOutcome({ ...denied(''), error } as Signal, COMMAND, untrusted).failure;
    expect(failing({ message: 'HTTP 429' })).toMatchObject({ isUntrusted: true, isRefusal: false });
    expect(failing({ message: 'x', code: '429' })?.isRefusal).toBe(true);
  });

  it('[ERR5] is not what the arguments of a call say', () => {
    const of = (city: string) => {
      const error = { message: `${city}\nkein Wetter` };
      return readOutcome({ ...denied(''), args: { city }, error } as Signal, COMMAND).failure
        ?.signature;
    };
    expect(of('Ulm')).toBe(of('Bonn'));
  });

  it('[STO24] is about each item that it names', () => {
    const of = (from: number, to: number) => {
      const error = { message: `no way from ${from} to ${to}` };
      return readOutcome({ ...denied(''), args: { from, to }, error } as Signal, COMMAND).failure
        ?.signature;
    };
    expect(of(12, 345)).toBe(of(12, 345));
    expect(of(12, 345)).not.toBe(of(123, 45));
  });

  it('[STO4] is all that an exit code without output says', () => {
    expect(readReply('exitcode: 3 (execution failed)\n \n', false, COMMAND).failure?.shown).toBe(
      'exitcode: 3 (execution failed)',
    );
    expect(readReply('exitcode: 0 (execution succeeded)', false, COMMAND)).toEqual({
      success: { target: 'code', command: COMMAND },
    });
  });
});
