import type { JsonValue } from '../json.ts';
import type {
  ExecutionSignal,
  MessageSignal,
  Signal,
  SignalError,
  ToolCallSignal,
} from '../signal.ts';
import { readError } from './error-text.ts';
import type { Failure, Success } from './step.ts';

/** Whether a step that can fail did: its failure, what it succeeded with, or neither. */
export interface Outcome {
  readonly failure?: Failure;
  readonly success?: Success;
}

const NEITHER: Outcome = {};
const CODE_TARGET = 'code';
/** The command behind what is only told in a message. */
const UNKNOWN = 0;

/** What AutoGen's executors write first, `exitcode: 1 (execution failed)`, and what its later generation writes. */
const EXIT_START = /^\s*exitcode: (-?\d+) \(/;
const POSIX_EXIT = /(?:exited with an error \(POSIX exit code: |POSIX exit code was: )(-?\d+)/;
const ERROR_START = /^\s*(?:error|exception|traceback)\b/i;
/** An answer of a web service that is an error and nothing else. */
const ERROR_FIELD =
  /^\s*\{[\s\S]*"(?:error|errors|exception)"\s*:\s*(?!null|false|""|\[\]|\{\})[\s\S]*\}\s*$/;
const ERROR_STATUS = /^\s*\{[\s\S]*"status(?:Code)?"\s*:\s*[45]\d\d\b[\s\S]*\}\s*$/;
const TRACEBACK = /^Traceback \(most recent call last\)/m;
const THROTTLED = /^(?:429|503|529)$/;
const MAX_HEAD = 4000;

/** Reads whether a step failed. `command` is the fingerprint of the very call or code. @internal */
export function readOutcome(signal: Signal, command: number): Outcome {
  switch (signal.kind) {
    case 'execution':
      return readExecution(signal, command);
    case 'tool-call':
      return readToolCall(signal, command);
    case 'message':
      return readMessage(signal);
    case 'usage': {
      const target = `model ${signal.model}`;
      const { error } = signal;
      if (error === undefined) return { success: { target, command } };
      return failed(target, error.message, error.code, command, isThrottled(error));
    }
    default:
      return NEITHER;
  }
}

function readExecution(signal: ExecutionSignal, command: number): Outcome {
  const { exitCode, output, timedOut } = signal;
  if (timedOut || exitCode === null) return failed(CODE_TARGET, output, 'timeout', command);
  if (exitCode !== 0 || isError(output)) {
    const text = output.trim() === '' ? `exit code ${exitCode}` : output;
    return failed(CODE_TARGET, text, undefined, command);
  }
  return { success: { target: CODE_TARGET, command } };
}

function readToolCall(signal: ToolCallSignal, command: number): Outcome {
  const { tool, result, error, executed } = signal;
  const target = `tool ${tool}`;
  if (error !== undefined) {
    const isRefusal = executed === false || isThrottled(error);
    return failed(target, error.message, error.code, command, isRefusal);
  }
  const text = errorIn(result ?? null);
  if (text === undefined) return { success: { target, command } };
  return failed(target, text, undefined, command);
}

function readMessage({ text }: MessageSignal): Outcome {
  const head = text.slice(0, MAX_HEAD);
  // Looking for a rare word first is far cheaper than trying the expression everywhere.
  const exit = EXIT_START.exec(head) ?? (head.includes('POSIX') ? POSIX_EXIT.exec(head) : null);
  if (Number(exit?.[1]) === 0) return { success: { target: CODE_TARGET, command: UNKNOWN } };
  const isFailure = exit !== null || ERROR_START.test(text);
  return isFailure ? failed(CODE_TARGET, text, undefined, UNKNOWN) : NEITHER;
}

function failed(
  target: string,
  text: string,
  code: string | undefined,
  command: number,
  isRefusal = false,
): Outcome {
  return { failure: { target, ...readError(text, code), command, isRefusal } };
}

function isError(output: string): boolean {
  const head = output.slice(0, MAX_HEAD);
  return ERROR_FIELD.test(head) || ERROR_STATUS.test(head) || TRACEBACK.test(head);
}

/** The text of the error that a tool returned as its result. */
function errorIn(result: JsonValue): string | undefined {
  if (typeof result === 'string') return ERROR_START.test(result) ? result : undefined;
  if (typeof result !== 'object' || result === null || Array.isArray(result)) return undefined;
  const { error } = result as { readonly [key: string]: JsonValue };
  if (error === undefined || error === null || error === false || error === '') return undefined;
  const text = JSON.stringify(result);
  return typeof error === 'object' && Object.keys(error).length === 0 ? undefined : text;
}

function isThrottled({ message, code }: SignalError): boolean {
  return THROTTLED.test(code ?? '') || /\b429\b|rate.?limit|overloaded/i.test(message);
}
