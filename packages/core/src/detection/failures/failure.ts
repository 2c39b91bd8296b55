import { hashText, mixHash } from '../../common/hash.ts';
import type { JsonValue } from '../../common/json.ts';
import type { ExecutionSignal, Signal, SignalError, ToolCallSignal } from '../../signal/signal.ts';
import type { Failure, Success } from '../analyzed-signal.ts';
import type { CheckedTool } from '../calls/tool-options.ts';
import type { CommandHash } from '../hashes.ts';
import { ERROR_LENGTH } from '../judgement.ts';
import { type AnswerForm, errorIn, jsonIn } from './error-fields.ts';
import { readError } from './error-text.ts';
import { fingerprintOf, fingerprintOfAnswer, statusIn } from './fingerprint.ts';
import { itemsIn } from './items.ts';

/** The failure or the success of a step that can fail, or neither. */
export interface StepOutcome {
  readonly failure?: Failure;
  readonly success?: Success;
}

const NEITHER: StepOutcome = {};
const CODE_TARGET = 'code';

// Only protocol texts, which programs write in every language alike; words of people for an error do not count.

/**
 * How the output of a program begins that is handed on with its exit code: `exitcode: 1 (execution failed)` of AutoGen's executors, and
 * `<returncode>1</returncode>` of coding agents.
 */
const EXIT_START =
  /^\s*(?:exitcode: (-?\d+)(?: \(|[^\S\n]*(?:\n|$))|<returncode>(-?\d+)<\/returncode>)/;
const POSIX = 'POSIX exit code';
const POSIX_EXIT = /^[^\n]{0,80}(?:\(POSIX exit code: |POSIX exit code was: )(-?\d+)/;
const EXIT_FRAME =
  /^\s*(?:exitcode: -?\d+[^\n]*(?:\n(?:Code output: ?)?|$)|<returncode>-?\d+<\/returncode>\s*)|^[^\n]*POSIX exit code[^\n]*\n(?:Its output was:\n)?/;
/**
 * An error as text: the name of its class, maybe its code, and a colon. Agent frameworks pass failed calls on in this form;
 * AutoGen's `execute_function` writes `Error: ` first.
 */
const ERROR_START =
  /^\s*(?:[\w.$]{0,80}(?:error|exception)(?: ?\[\w{1,40}\])?:|Traceback \(most recent call last\))/i;
/** What coding agents tell the model when a person says no to a call. */
const REJECTED =
  /^The user (?:rejected this|doesn't want to proceed with this) (?:call|tool use)\b/;
/** The code with which a guard tells the same. */
const REJECTED_CODE = 'REJECTED';
/** What frameworks answer to the call of a tool that they do not have. */
const NO_SUCH_TOOL =
  /^(?:Error: )?(?:Tool|Function) ['"`]?(.{1,80}?)['"`]? (?:is |was )?not found\b/;
/** Statuses and names with which services throttle. */
const THROTTLED_CODE =
  /^(?:429|503|529)$|rate_?limit|too_?many_?requests|throttl|overloaded|resource_?exhausted/i;
/** A status that is the first number in a text: `429 Too Many Requests`. */
const THROTTLED_STATUS = /^(?:HTTP\/[\d.]{1,3})?[^\d]{0,60}\b(?:429|529)\b/;

/** What a tool declares about its failures. */
type Declared = Pick<CheckedTool, 'isUntrusted' | 'isFailure'>;

/** Reads whether a step failed. `command` is a hash of the call or code. Texts of an untrusted tool do not decide. */
export function readOutcome(
  signal: Signal,
  command: CommandHash,
  declared?: Declared,
): StepOutcome {
  switch (signal.kind) {
    case 'execution':
      return readExecution(signal, command);
    case 'tool-call':
      return readToolCall(signal, command, declared);
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

function readExecution(signal: ExecutionSignal, command: CommandHash): StepOutcome {
  const { exitCode, output, timedOut, code: ran } = signal;
  const failing = { target: CODE_TARGET, command, ran };
  if (timedOut || exitCode === null) {
    return failed({ ...failing, message: output, code: 'timeout' });
  }
  if (exitCode !== 0) return failedWith(failing, output, `exit code ${exitCode}`);
  return reported(failing, output, 'printed') ?? { success: { target: CODE_TARGET, command } };
}

function readToolCall(
  signal: ToolCallSignal,
  command: CommandHash,
  declared?: Declared,
): StepOutcome {
  const { tool, args, result = null, error, executed } = signal;
  const { isUntrusted = false, isFailure } = declared ?? {};
  const failing = { target: `tool ${tool}`, command, asked: args, isUntrusted };
  if (error !== undefined) {
    const trusted = isUntrusted ? { ...error, message: '' } : error;
    // Whoever says whether the tool ran knows better than its error.
    const isRejected = error.code === REJECTED_CODE || REJECTED.test(error.message);
    const isRefusal = executed === undefined ? isThrottled(trusted) || isRejected : !executed;
    const fingerprint = fingerprintOf(error);
    const { message, code } = error;
    return failed({ ...failing, message, code, fingerprint, isRefusal, isRejected });
  }
  const success = { success: { target: failing.target, command } };
  if (isFailure !== undefined) {
    return isFailure(result) ? failed({ ...failing, message: textOf(result) }) : success;
  }
  if (isUntrusted) return success;
  if (typeof result !== 'string') return reported(failing, result, 'fields', executed) ?? success;
  const exit = exitOf(result);
  if (exit?.code === 0) return success;
  if (exit !== undefined) return failedWith(failing, exit.output, `exit code ${exit.code}`);
  const said = { message: result };
  if (NO_SUCH_TOOL.exec(result)?.[1] === tool) return failed({ ...failing, ...said });
  const isShort = result.length <= ERROR_LENGTH;
  if (isShort && (statusIn(result) !== undefined || ERROR_START.test(result))) {
    const isRefusal = !executed && isThrottled(said);
    return failed({ ...failing, ...said, fingerprint: fingerprintOf(said), isRefusal });
  }
  return reported(failing, result, 'text', executed) ?? success;
}

/** The failure of a program by its output, or by its exit code alone. */
function failedWith(failing: Failing, output: string, code: string): StepOutcome {
  const isSilent = output.trim() === '';
  return failed({ ...failing, message: isSilent ? code : output, isSilent });
}

/** The failure that an answer reports in its fields, if any. */
function reported(
  failing: Failing,
  answer: JsonValue,
  form: AnswerForm,
  executed?: boolean,
): StepOutcome | undefined {
  const parsed = typeof answer === 'string' ? jsonIn(answer) : answer;
  const error = errorIn(parsed, form);
  if (error === undefined) return undefined;
  if ('output' in error) return failedWith(failing, error.output, error.message);
  const { status: code, message: said, isOfCall } = error;
  const message = textOf(answer);
  return failed({
    ...failing,
    message,
    shown: said || message,
    code,
    fingerprint: fingerprintOfAnswer(parsed, code, said),
    isRefusal: !executed && isThrottled({ message: '', code }),
    isReported: !error.isMarked,
    isOfCall,
  });
}

function textOf(answer: JsonValue): string {
  return typeof answer === 'string' ? answer : JSON.stringify(answer);
}

/**
 * Reads the outcome of code from a message: from the header of an executor, or, if the message `isAnswer` to code, from any
 * error text.
 */
export function readReply(text: string, isAnswer: boolean, command: CommandHash): StepOutcome {
  const exit = exitOf(text);
  if (exit?.code === 0) return { success: { target: CODE_TARGET, command } };
  if (exit === undefined && !(isAnswer && ERROR_START.test(text))) return NEITHER;
  const { output = text } = exit ?? {};
  const message = output.trim() === '' ? text : output;
  return failed({ target: CODE_TARGET, command, message });
}

interface Exit {
  readonly code: number;
  /** The text without the header, so that the same error without one is equal. */
  readonly output: string;
}

/** The exit code with which a text begins, if any. */
function exitOf(text: string): Exit | undefined {
  const found = EXIT_START.exec(text) ?? (text.includes(POSIX) ? POSIX_EXIT.exec(text) : null);
  if (found === null) return undefined;
  return { code: Number(found[1] ?? found[2]), output: text.replace(EXIT_FRAME, '') };
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
  /** Whether it is the same failure only of the very same call. */
  readonly isOfCall?: boolean | undefined;
}

function failed({
  message = '',
  shown,
  code,
  asked,
  // Only now, since most calls do not fail.
  ran = JSON.stringify(asked),
  isSilent,
  isOfCall,
  ...known
}: Failing): StepOutcome {
  const { command } = known;
  const read = readError(message, code, ran);
  // Many commands say no by an exit code alone: only an identical one is the same failure.
  const error = isSilent ? { ...read, shape: command, signature: command } : read;
  const about = isOfCall ? command : hashText(itemsIn(read.shown, asked).join('\n'));
  return {
    failure: {
      fingerprint: 0,
      isRefusal: false,
      isRejected: false,
      isReported: false,
      isUntrusted: false,
      ...known,
      ...error,
      signature: mixHash(error.signature, about),
      shown: shownOf(shown ?? read.shown, code),
    },
  };
}

/** A text about an error with its code, if the text does not name it. */
function shownOf(text: string, code = ''): string {
  if (text.includes(code)) return text;
  return text === '' ? code : `${code}: ${text}`;
}

function isThrottled({ message, code = '', status }: SignalError): boolean {
  const isCode = [code, `${status}`, `${statusIn(message)}`].some((one) =>
    THROTTLED_CODE.test(one),
  );
  return isCode || THROTTLED_STATUS.test(message);
}
