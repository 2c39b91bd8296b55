import { isCount } from '../../budget/amount.ts';
import { isTripped } from '../../errors.ts';
import type { AdmissionRequest, ExecutionRequest, ToolCallRequest } from '../../request.ts';
import type {
  ExecutionSignal,
  ModelRequestSignal,
  NestedEndSignal,
  NestedStartSignal,
  Signal,
  SignalError,
  ToolCallSignal,
  UsageSignal,
} from '../../signal/signal.ts';
import { toJson } from '../../to-json.ts';

/** How the work of a step ended. */
export type Outcome<T> = { readonly value: T } | { readonly error: unknown };

/** The outcome as signals tell it. */
interface Told {
  readonly value: unknown;
  readonly error: SignalError | undefined;
}

/** What all signals of a step have in common. */
interface Base {
  readonly at: number;
  readonly agent: string;
  readonly depth?: number;
}

/** The signal that a step's outcome is reported with by default, if there is one. @internal */
export function reportOf(
  request: AdmissionRequest,
  outcome: Outcome<unknown>,
  at: number,
): Signal | undefined {
  const { agent, depth } = request;
  const base = { at, agent, ...(depth !== undefined && { depth }) };
  // A refused step inside this one is no failure of it. A model call has a reservation to settle.
  if ('error' in outcome && isTripped(outcome.error) && request.kind !== 'model-request') {
    return undefined;
  }
  const told: Told =
    'error' in outcome
      ? { value: undefined, error: signalError(outcome.error) }
      : { value: outcome.value, error: undefined };
  switch (request.kind) {
    case 'turn':
      return typeof told.value === 'string'
        ? { ...base, kind: 'message', text: told.value }
        : undefined;
    case 'tool-call':
      return callOf(base, request, told);
    case 'execution':
      return executionOf(base, request, told);
    case 'model-request':
      return usageOf(base, request, told);
    case 'nested-start':
      return nestedEndOf(base, request, told);
    default:
      return undefined;
  }
}

function callOf(
  base: Base,
  { tool, args }: ToolCallRequest,
  { value, error }: Told,
): ToolCallSignal {
  const end = error ? { error } : { result: toJson(value) };
  return { ...base, kind: 'tool-call', tool, args, ...end };
}

function executionOf(
  base: Base,
  { language, code }: ExecutionRequest,
  { value, error }: Told,
): ExecutionSignal {
  const { exitCode, output } = Object(value);
  return {
    ...base,
    kind: 'execution',
    language,
    code,
    exitCode: Number.isSafeInteger(exitCode) ? exitCode : null,
    output: error?.message ?? (typeof output === 'string' ? output : ''),
  };
}

function usageOf(
  base: Base,
  { model, requestId }: ModelRequestSignal,
  { value, error }: Told,
): UsageSignal {
  const { inputTokens, outputTokens, costUsd } = Object(Object(value).usage);
  // Half a report is none: a call that seems to have cost less than it did would leave room for others.
  const isReported = isCount(inputTokens) && isCount(outputTokens);
  const isPriced = Number.isFinite(costUsd) && costUsd >= 0;
  return {
    ...base,
    kind: 'usage',
    model,
    ...(requestId !== undefined && { requestId }),
    inputTokens: isReported ? inputTokens : 0,
    outputTokens: isReported ? outputTokens : 0,
    costUsd: isPriced ? costUsd : null,
    ...(error && { error }),
  };
}

function nestedEndOf(
  base: Base,
  { chatId, path, depth }: NestedStartSignal,
  { value }: Told,
): NestedEndSignal {
  const text = typeof value === 'string' ? { text: value } : undefined;
  return { ...base, depth, kind: 'nested-end', chatId, path, ...text };
}

/**
 * The usage of a model call that was admitted and is not made after all. Observed, it releases what the budget has reserved for
 * the call; otherwise that happens after `reservationMs`. {@link Breaker.run} does so by itself.
 */
export function unmadeUsage(
  { agent, depth, model, requestId }: ModelRequestSignal,
  at: number,
): UsageSignal {
  return {
    kind: 'usage',
    at,
    agent,
    model,
    ...(depth !== undefined && { depth }),
    ...(requestId !== undefined && { requestId }),
    inputTokens: 0,
    outputTokens: 0,
    costUsd: 0,
    error: { message: 'the call was not made', code: 'TRIPPED' },
  };
}

function signalError(error: unknown): SignalError {
  const { name, message, code } = Object(error);
  const text = typeof message === 'string' ? message : JSON.stringify(toJson(error));
  return {
    message: typeof name === 'string' && name !== 'Error' ? `${name}: ${text}` : text,
    ...(typeof code === 'string' && { code }),
  };
}
