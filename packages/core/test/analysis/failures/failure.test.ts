import { describe, expect, it } from 'vitest';
import { readOutcome } from '../../../src/analysis/failures/failure.ts';
import type { JsonValue, Signal, SignalError } from '../../../src/index.ts';

const BASE = { at: 0, agent: 'a' };

function call(result: JsonValue): Signal {
  return { kind: 'tool-call', ...BASE, tool: 't', args: {}, result };
}

function run(
  output: string,
  fields: { exitCode?: number | null; timedOut?: boolean } = {},
): Signal {
  return { kind: 'execution', ...BASE, language: 'sh', code: 'x', exitCode: 0, output, ...fields };
}

function say(text: string): Signal {
  return { kind: 'message', ...BASE, text };
}

function hasFailed(signal: Signal): boolean {
  return readOutcome(signal, 0).failure !== undefined;
}

describe('whether a step failed', () => {
  it.each([
    ['an exit code', run('alles gut', { exitCode: 3 })],
    ['a killed process', run('', { exitCode: null })],
    ['a timeout', run('', { timedOut: true })],
    ['an error field', call({ error: '数据库连接失败' })],
    ['a list of errors', run('{"data":null,"errors":[{"message":"kein Feld"}]}')],
    ['a flag', call({ isError: true, content: 'refusé' })],
    ['JSON with an error in it', run('{"status":401,"detail":"nicht angemeldet"}\n')],
    [
      'a traceback',
      run('start\nTraceback (most recent call last):\n  File "a.py", line 1\nKeyError'),
    ],
    ['how frameworks hand errors on', call('Error: Verbindung getrennt')],
    ['the class of the error', call('requests.exceptions.HTTPError: 500')],
    ['a code with it', say('TypeError [ERR_INVALID_ARG]: path')],
    ["an executor's exit code", say('exitcode: 1 (execution failed)\nCode output: nichts')],
    [
      "a later executor's exit code",
      say('The script ran, then exited with an error (POSIX exit code: 2)'),
    ],
  ])('[STO9] follows from %s', (_, signal) => {
    expect(hasFailed(signal)).toBe(true);
  });

  it.each([
    ['words for errors', call('0 errors, nothing failed, access denied never')],
    ['talk about errors', say('Error handling comes next: we catch what the parser throws.')],
    ['an empty error field', call({ error: null, errors: [], exception: '', rows: 3 })],
    ['an error without anything in it', call({ error: {}, exception: [], rows: 3 })],
    ['no errors counted', run('{"errors": 0, "error": false, "status": 200}')],
    ['what a tool found in a file', call({ file: 'a.ts', errors: ['no semicolon'] })],
    ['what a tool found at a link', call({ url: 'https://a.example/', status: 404 })],
    ['an error further down', call({ log: [{ error: 'old' }], rows: 3 })],
    ['a number that is no status', run('{"status":4040,"error":null}')],
    ['JSON that is cut off', run('{"error": "x"')],
    ['exit code 0', say('exitcode: 0 (execution succeeded)\nCode output: Fehler: keine')],
  ])('[STO9] does not follow from %s', (_, signal) => {
    expect(hasFailed(signal)).toBe(false);
  });

  it('[STO6] reads the same error out of a run and of the message that tells of it', () => {
    const output = 'Liste\nSchlüssel fehlt';
    const ran = readOutcome(run(output, { exitCode: 1 }), 7).failure;
    for (const text of [
      `exitcode: 1 (execution failed)\nCode output: ${output}`,
      `The script ran, then exited with an error (POSIX exit code: 1)\nIts output was:\n${output}`,
    ]) {
      expect(readOutcome(say(text), 0).failure?.signature).toBe(ran?.signature);
    }
  });

  it.each<[SignalError, boolean]>([
    [{ message: 'demasiadas peticiones', code: '429' }, true],
    [{ message: 'später', code: 'RATE_LIMITED' }, true],
    [{ message: 'later', code: 'ThrottlingException' }, true],
    [{ message: 'later', code: 'overloaded_error' }, true],
    [{ message: '429 Too Many Requests, retry after 8 s' }, true],
    [{ message: 'HTTP/1.1 429 次数过多' }, true],
    [{ message: 'read 3 of 429 rows' }, false],
    [{ message: 'the belt is overloaded', code: 'E17' }, false],
  ])('[STO5] knows a call that was turned away by its code: %j', (error, isRefusal) => {
    const signal: Signal = { kind: 'tool-call', ...BASE, tool: 't', args: {}, error };
    expect(readOutcome(signal, 0).failure?.isRefusal).toBe(isRefusal);
  });
});
