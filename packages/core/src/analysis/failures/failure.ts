import type { JsonValue } from '../../json.ts';
import { ERROR_LENGTH } from '../../judgement.ts';
import type { ExecutionSignal, Signal, SignalError, ToolCallSignal } from '../../signal/signal.ts';
import type { Failure, Success } from '../analyzed-signal.ts';
import { errorIn, jsonIn } from './error-fields.ts';
import { readError } from './error-text.ts';
import { fingerprintOf, fingerprintOfAnswer, statusIn } from './fingerprint.ts';

/** The failure or the success of a step that can fail, or neither. */
export interface StepOutcome {
  readonly failure?: Failure;
  readonly success?: Success;
}

const NEITHER: StepOutcome = {};
const CODE_TARGET = 'code';

// Only protocol texts, which programs write in every language alike; words of people for an error do not count.

/** How the output of AutoGen's executors begins: `exitcode: 1 (execution failed)`, and that of the later generation. */
const EXIT_START = /^\s*exitcode: (-?\d+)(?: \(|[^\S\n]*(?:\n|$))/;
const POSIX = 'POSIX exit code';
const POSIX_EXIT = /^[^\n]{0,80}(?:\(POSIX exit code: |POSIX exit code was: )(-?\d+)/;
const EXIT_FRAME =
  /^\s*exitcode: -?\d+[^\n]*(?:\n(?:Code output: ?)?|$)|^[^\n]*POSIX exit code[^\n]*\n(?:Its output was:\n)?/;
/**
 * An error as text: the name of its class, maybe its code, and a colon. Agent frameworks pass failed calls on in this form;
 * AutoGen's `execute_function` writes `Error: ` first.
 */
const ERROR_START =
  /^\s*(?:[\w.$]{0,80}(?:error|exception)(?: ?\[\w{1,40}\])?:|Traceback \(most recent call last\))/i;
/** What coding agents tell the model when a person says no to a call. */
const REJECTED =
  /^The user (?:rejected this|doesn't want to proceed with this) (?:call|tool use)\b/;
/** What frameworks answer to the call of a tool that they do not have. */
const NO_SUCH_TOOL =
  /^(?:Error: )?(?:Tool|Function) ['"`]?(.{1,80}?)['"`]? (?:is |was )?not found\b/;
/** Statuses and names with which services throttle. */
const THROTTLED_CODE =
  /^(?:429|503|529)$|rate_?limit|too_?many_?requests|throttl|overloaded|resource_?exhausted/i;
/** A status that is the first number in a text: `429 Too Many Requests`. */
const THROTTLED_STATUS = /^(?:HTTP\/[\d.]{1,3})?[^\d]{0,60}\b(?:429|529)\b/;
const MAX_HEAD = 4000;

/** Reads whether a step failed. `command` is a hash of the call or code. Texts of an untrusted tool do not decide. */
export function readOutcome(signal: Signal, command: number, isUntrusted = false): StepOutcome {
  switch (signal.kind) {
    case 'execution':
      return readExecution(signal, command);
    case 'tool-call':
      return readToolCall(signal, command, isUntrusted);
    case 'usage': {
      const target = `model ${signal.model}`;
      const { error } = signal;
      if (error === undefined) return { success: { target, command } };
      return failed({
        target,
        command,
        message: error.message,
        code: error.code,
        isRefusal: isThrottled(error),
      });
    }
    default:
      return NEITHER;
  }
}

function readExecution(signal: ExecutionSignal, command: number): StepOutcome {
  const { exitCode, output, timedOut, code: ran } = signal;
  const failing = { target: CODE_TARGET, command, ran };
  if (timedOut || exitCode === null)
    return failed({ ...failing, message: output, code: 'timeout' });
  if (exitCode !== 0) {
    const isSilent = output.trim() === '';
    return failed({ ...failing, message: isSilent ? `exit code ${exitCode}` : output, isSilent });
  }
  return reported(failing, output) ?? { success: { target: CODE_TARGET, command } };
}

function readToolCall(signal: ToolCallSignal, command: number, isUntrusted: boolean): StepOutcome {
  const { tool, args, result = null, error, executed } = signal;
  const failing = { target: `tool ${tool}`, command, asked: args, isUntrusted };
  if (error !== undefined) {
    const told = isUntrusted ? { ...error, message: '' } : error;
    // Whoever says whether the tool ran knows better than its error.
    const isRejected = REJECTED.test(error.message);
    const isRefusal = executed === undefined ? isThrottled(told) || isRejected : !executed;
    const fingerprint = fingerprintOf(error);
    const { message, code } = error;
    return failed({ ...failing, message, code, fingerprint, isRefusal, isRejected });
  }
  if (isUntrusted) return { success: { target: failing.target, command } };
  if (typeof result === 'string' && NO_SUCH_TOOL.exec(result)?.[1] === tool) {
    return failed({ ...failing, message: result });
  }
  if (typeof result === 'string' && result.length <= ERROR_LENGTH) {
    const status = statusIn(result);
    if (status !== undefined || ERROR_START.test(result)) {
      const fingerprint = fingerprintOf({ message: result });
      return failed({ ...failing, message: result, fingerprint });
    }
  }
  return reported(failing, result, executed) ?? { success: { target: failing.target, command } };
}

/** The failure that an answer reports in its fields, if any. */
function reported(
  failing: Failing,
  answer: JsonValue,
  wasExecuted = false,
): StepOutcome | undefined {
  const isPrinted = typeof answer === 'string';
  const told = isPrinted ? jsonIn(answer) : answer;
  const error = errorIn(told, isPrinted);
  if (error === undefined) return undefined;
  const message = isPrinted ? answer : JSON.stringify(answer);
  const code = error.status === '' ? undefined : error.status;
  const isRefusal = !wasExecuted && isThrottled({ message: '', code: error.status });
  const shown = error.message || message;
  const fingerprint = fingerprintOfAnswer(told, error.status, error.message);
  const isReported = !error.isMarked;
  return failed({ ...failing, message, shown, code, fingerprint, isRefusal, isReported });
}

/**
 * Reads the outcome of code from a message: from the header of an executor, or, if the message `isAnswer` to code, from any
 * error text.
 */
export function readReply(text: string, isAnswer: boolean, command: number): StepOutcome {
  const head = text.slice(0, MAX_HEAD);
  const exit = EXIT_START.exec(head) ?? (head.includes(POSIX) ? POSIX_EXIT.exec(head) : null);
  if (Number(exit?.[1]) === 0) return { success: { target: CODE_TARGET, command } };
  if (exit === null && !(isAnswer && ERROR_START.test(text))) return NEITHER;
  // The header is not part of the output, so that the same error without it is equal.
  const output = exit === null ? text : head.replace(EXIT_FRAME, '') + text.slice(MAX_HEAD);
  const message = output.trim() === '' ? text : output;
  return failed({ target: CODE_TARGET, command, message });
}

interface Failing
  extends Pick<Failure, 'target' | 'command'>,
    Partial<
      Pick<Failure, 'fingerprint' | 'isRefusal' | 'isRejected' | 'isReported' | 'isUntrusted'>
    > {
  readonly message?: string;
  /** What to quote of the error, if not a line of the message. */
  readonly shown?: string;
  readonly code?: string | undefined;
  readonly ran?: string;
  /** The arguments of a tool. */
  readonly asked?: JsonValue;
  /** Whether there is only an exit code. */
  readonly isSilent?: boolean;
}

function failed(failing: Failing): StepOutcome {
  const {
    target,
    command,
    message = '',
    shown,
    code,
    asked,
    // Only now, since most calls do not fail.
    ran = asked === undefined ? undefined : JSON.stringify(asked),
    fingerprint = 0,
    isRefusal = false,
    isRejected = false,
    isReported = false,
    isUntrusted = false,
    isSilent = false,
  } = failing;
  const read = readError(message, code, ran);
  // Many commands say no by an exit code alone: only an identical one is the same failure.
  const error = isSilent ? { ...read, shape: command, signature: command } : read;
  const said = shownOf(shown ?? read.shown, code);
  return {
    failure: {
      target,
      ...error,
      shown: said,
      command,
      fingerprint,
      isRefusal,
      isRejected,
      isReported,
      isUntrusted,
    },
  };
}

/** A text about an error with its code, if the text does not name it. */
function shownOf(text: string, code = ''): string {
  if (text === '' || code === '' || text.includes(code)) return text || code;
  return `${code}: ${text}`;
}

function isThrottled({ message, code = '', status }: SignalError): boolean {
  return (
    [code, `${status}`].some((one) => THROTTLED_CODE.test(one)) || THROTTLED_STATUS.test(message)
  );
}
