import type { JsonValue } from '../../json.ts';
import type {
  ExecutionSignal,
  MessageSignal,
  Signal,
  SignalError,
  ToolCallSignal,
} from '../../signal/signal.ts';
import type { Failure, Success } from '../step.ts';
import { isErrorAnswer, isErrorResult } from './error-fields.ts';
import { type ErrorReading, readError } from './error-text.ts';

/** Whether a step that can fail did: its failure, what it succeeded with, or neither. */
export interface Outcome {
  readonly failure?: Failure;
  readonly success?: Success;
}

const NEITHER: Outcome = {};
const CODE_TARGET = 'code';
/** The command behind what is only told in a message. */
const UNKNOWN = 0;

/*
 * What follows is protocol: texts that programs write for programs, the same in every language. A word that people use for
 * an error is none, so an unknown tool fails by its exit code, by an error field, or by the caller's word for it.
 */

/** What AutoGen's executors write first, `exitcode: 1 (execution failed)`, and what its later generation writes. */
const EXIT_START = /^\s*exitcode: (-?\d+) \(/;
const POSIX_EXIT = /(?:exited with an error \(POSIX exit code: |POSIX exit code was: )(-?\d+)/;
const EXIT_FRAME =
  /^\s*exitcode: -?\d+ \([^\n]*\n(?:Code output: ?)?|^[^\n]*POSIX exit code[^\n]*\n(?:Its output was:\n)?/;
/**
 * How an error is written as text: the name of its class and a colon, with its code in between or without. Agent frameworks
 * hand failed calls on in this form; AutoGen's `execute_function` writes `Error: ` before whatever went wrong.
 */
const ERROR_START =
  /^\s*(?:[\w.$]{0,80}(?:error|exception)(?: ?\[\w{1,40}\])?:|Traceback \(most recent call last\))/i;
const TRACEBACK = /^Traceback \(most recent call last\)/m;
/** Statuses and names by which services say: not now. */
const THROTTLED_CODE =
  /^(?:429|503|529)$|rate_?limit|too_?many_?requests|throttl|overloaded|resource_?exhausted/i;
/** The status of an answer, where it is the first number in its text: `429 Too Many Requests`. */
const THROTTLED_STATUS = /^(?:HTTP\/[\d.]{1,3})?[^\d]{0,60}\b(?:429|529)\b/;
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
      return failed(target, readError(error.message, error.code), command, isThrottled(error));
    }
    default:
      return NEITHER;
  }
}

function readExecution(signal: ExecutionSignal, command: number): Outcome {
  const { exitCode, output, timedOut, code } = signal;
  if (timedOut || exitCode === null) {
    return failed(CODE_TARGET, readError(output, 'timeout', code), command);
  }
  if (exitCode !== 0 || isErrorAnswer(output) || TRACEBACK.test(output.slice(0, MAX_HEAD))) {
    const text = output.trim() === '' ? `exit code ${exitCode}` : output;
    return failed(CODE_TARGET, readError(text, undefined, code), command);
  }
  return { success: { target: CODE_TARGET, command } };
}

function readToolCall(signal: ToolCallSignal, command: number): Outcome {
  const { tool, args, result, error, executed } = signal;
  const target = `tool ${tool}`;
  const message = error?.message ?? errorIn(result ?? null);
  if (message === undefined) return { success: { target, command } };
  const isRefusal = error !== undefined && (executed === false || isThrottled(error));
  return failed(target, readError(message, error?.code, JSON.stringify(args)), command, isRefusal);
}

function readMessage({ text }: MessageSignal): Outcome {
  // Looking for a rare sign or word first is far cheaper than trying an expression everywhere.
  if (!text.includes(':')) return NEITHER;
  const head = text.slice(0, MAX_HEAD);
  const exit = EXIT_START.exec(head) ?? (head.includes('POSIX') ? POSIX_EXIT.exec(head) : null);
  if (Number(exit?.[1]) === 0) return { success: { target: CODE_TARGET, command: UNKNOWN } };
  if (exit === null && !ERROR_START.test(text)) return NEITHER;
  // The frame is not part of the output: the same output told without it is the same error.
  const output = exit === null ? text : head.replace(EXIT_FRAME, '') + text.slice(MAX_HEAD);
  return failed(CODE_TARGET, readError(output.trim() === '' ? text : output), UNKNOWN);
}

function failed(
  target: string,
  reading: ErrorReading,
  command: number,
  isRefusal = false,
): Outcome {
  return { failure: { target, ...reading, command, isRefusal } };
}

/** The text of the error that a tool returned as its result. */
function errorIn(result: JsonValue): string | undefined {
  if (typeof result === 'string') return ERROR_START.test(result) ? result : undefined;
  return isErrorResult(result) ? JSON.stringify(result) : undefined;
}

function isThrottled({ message, code }: SignalError): boolean {
  return THROTTLED_CODE.test(code ?? '') || THROTTLED_STATUS.test(message);
}
