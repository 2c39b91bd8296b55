import { ANSWER_TOKENS } from '../budget/estimates.ts';
import { isTripped } from '../circuit/trip.ts';
import { toJson } from '../common/to-json.ts';
import { EXIT_FIELDS } from '../signal/error-status.ts';
import type { AdmissionRequest, ExecutionRequest, ToolCallRequest } from '../signal/request.ts';
import type {
  ExecutionSignal,
  ModelRequestSignal,
  NestedEndSignal,
  NestedStartSignal,
  Signal,
  SignalError,
  ToolCallSignal,
} from '../signal/signal.ts';
import { signalError } from '../signal/signal-error.ts';
import type { CallUsage } from './model-call.ts';
import { tokensOfAnswer } from './unread-usage.ts';

/** How the work of a step ended. */
export type Outcome<T> = { readonly value: T } | { readonly error: unknown };

/** The outcome as signals report it. */
interface Ended {
  readonly value: unknown;
  readonly error: SignalError | undefined;
}

interface Base {
  readonly at: number;
  readonly agent: string;
  readonly depth?: number;
}

interface Timed extends Base {
  readonly durationMs: number;
}

/** When the work of a step began and ended. */
interface Span {
  readonly begunAt: number;
  readonly at: number;
}

/** The signal that reports the outcome of a step by default. That of a model call is its usage, see {@link ModelCall}. */
export function reportOf(
  request: AdmissionRequest,
  outcome: Outcome<unknown>,
  { begunAt, at }: Span,
): Signal | undefined {
  const { agent, depth } = request;
  const base = { at, agent, ...(depth !== undefined && { depth }) };
  // A refused nested step is no failure of this one.
  if ('error' in outcome && isTripped(outcome.error)) return undefined;
  const ended: Ended =
    'error' in outcome
      ? { value: undefined, error: signalError(outcome.error) }
      : { value: outcome.value, error: undefined };
  const timed = { ...base, durationMs: Math.max(0, at - begunAt) };
  switch (request.kind) {
    case 'turn':
      return typeof ended.value === 'string'
        ? { ...base, kind: 'message', text: ended.value }
        : undefined;
    case 'tool-call':
      return toolCallOf(timed, request, ended);
    case 'execution':
      return executionOf(timed, request, ended);
    case 'nested-start':
      return nestedEndOf(base, request, ended);
    default:
      return undefined;
  }
}

function toolCallOf(
  base: Timed,
  { tool, args }: ToolCallRequest,
  { value, error }: Ended,
): ToolCallSignal {
  const end = error ? { error } : { result: toJson(value) };
  return { ...base, kind: 'tool-call', tool, args, ...end };
}

function executionOf(
  base: Timed,
  { language, code }: ExecutionRequest,
  { value, error }: Ended,
): ExecutionSignal {
  const run = { ...base, kind: 'execution', language, code } as const;
  if (error) return { ...run, exitCode: null, output: error.message };
  const result: Readonly<Record<string, unknown>> = Object(value);
  const field = EXIT_FIELDS.find((name) => result[name] !== undefined);
  // What tells no code has ended without an error.
  const exitCode = field === undefined ? 0 : result[field];
  return {
    ...run,
    exitCode: Number.isSafeInteger(exitCode) ? (exitCode as number) : null,
    output: printedIn(result) ?? (field === undefined ? writtenOut(value) : ''),
  };
}

/** What a program printed, as those who run it hand it over. */
function printedIn({
  output,
  stdout,
  stderr,
}: Readonly<Record<string, unknown>>): string | undefined {
  if (output !== undefined) return writtenOut(output);
  const printed = [stdout, stderr].filter((text) => typeof text === 'string');
  return printed.length === 0 ? undefined : printed.filter((text) => text !== '').join('\n');
}

function writtenOut(output: unknown): string {
  if (typeof output === 'string') return output;
  return output === undefined || output === null ? '' : JSON.stringify(toJson(output));
}

/** What a call took whose answer does not tell it, by its texts. What its request says of its size comes first. */
export function guessedUsage(
  { inputTokens = 0, maxOutputTokens, estimatedCostUsd }: ModelRequestSignal,
  answer: unknown,
): CallUsage {
  if (maxOutputTokens !== undefined || estimatedCostUsd !== undefined)
    return { inputTokens: 0, outputTokens: 0 };
  const outputTokens = tokensOfAnswer(answer) ?? ANSWER_TOKENS;
  return { inputTokens, outputTokens, isEstimate: true, isPartial: true };
}

function nestedEndOf(
  base: Base,
  { chatId, path, depth }: NestedStartSignal,
  { value }: Ended,
): NestedEndSignal {
  const text = typeof value === 'string' ? { text: value } : undefined;
  return { ...base, depth, kind: 'nested-end', chatId, path, ...text };
}

const MAY_FAIL: readonly unknown[] = ['tool-call', 'execution', 'usage'];

/** Marks the signal of a step that was stopped before it failed. */
export function givenUp(signal: Signal | undefined): Signal | undefined {
  // A report of the user's own may be anything.
  const isMarked = MAY_FAIL.includes(Object(signal).kind);
  return isMarked ? ({ ...signal, isGivenUp: true } as Signal) : signal;
}
