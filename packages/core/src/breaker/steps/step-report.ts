import { reading } from '../../options.ts';
import type { AdmissionRequest, ExecutionRequest, ToolCallRequest } from '../../signal/request.ts';
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
import { signalError } from '../../signal/signal-error.ts';
import { toJson } from '../../to-json.ts';
import { isTripped } from '../../trip.ts';
import { readUsage } from '../../usage.ts';

/** How the work of a step ended. */
export type Outcome<T> = { readonly value: T } | { readonly error: unknown };

/** What is known of a model call without usage. */
export interface CutOff {
  /** Whether its step was stopped. */
  readonly isStopped: boolean;
  /** How much of its answer has come. */
  readonly outputTokens: number;
}

const NOT_CUT: CutOff = { isStopped: false, outputTokens: 0 };
const NO_TOKENS = { inputTokens: 0, outputTokens: 0 };

/** The outcome as signals report it. */
interface Told {
  readonly value: unknown;
  readonly error: SignalError | undefined;
}

interface Base {
  readonly at: number;
  readonly agent: string;
  readonly depth?: number;
}

/** The signal that reports the outcome of a step by default. */
export function reportOf(
  request: AdmissionRequest,
  outcome: Outcome<unknown>,
  at: number,
  cut?: CutOff,
): Signal | undefined {
  const { agent, depth } = request;
  const base = { at, agent, ...(depth !== undefined && { depth }) };
  // A refused nested step is no failure of this one. A model call has a reservation to settle.
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
      return usageOf(base, request, told, cut);
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
  { model, requestId, inputTokens = 0 }: ModelRequestSignal,
  { value, error }: Told,
  { isStopped, outputTokens }: CutOff = NOT_CUT,
): UsageSignal {
  const isPartial = outputTokens > 0 || (isStopped && error !== undefined);
  const seen = isPartial ? { inputTokens, outputTokens, isPartial } : NO_TOKENS;
  return {
    ...base,
    kind: 'usage',
    model,
    ...(requestId !== undefined && { requestId }),
    ...(readUsage(value) ?? seen),
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

const MAY_FAIL: readonly unknown[] = ['tool-call', 'execution', 'usage'];

/** Marks the signal of a step that was stopped before it failed. */
export function givenUp(signal: Signal | undefined): Signal | undefined {
  // A report of the user's own may be anything.
  const isMarked = MAY_FAIL.includes(Object(signal).kind);
  return isMarked ? ({ ...signal, isGivenUp: true } as Signal) : signal;
}

/**
 * The usage of a model call that was admitted but never made. Observe it to release the reservation of the call, which
 * otherwise expires after `reservationMs`. {@link Breaker.run} does so by itself.
 *
 * @throws {@link InvalidOptionError} if `request` cannot be read.
 */
export function unmadeUsage(request: ModelRequestSignal, at: number): UsageSignal {
  const { agent, depth, model, requestId } = reading('request', 'a request', request, () => ({
    agent: request.agent,
    depth: request.depth,
    model: request.model,
    requestId: request.requestId,
  }));
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
