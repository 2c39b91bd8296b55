import { isCount } from '../budget/amount.ts';
import { InvalidOptionError, isTripped, TrippedError } from '../errors.ts';
import type { MaybePromise } from '../maybe-promise.ts';
import { checkNames, functionOf, type OptionNames } from '../options.ts';
import type { Admission, AdmissionRequest, AdmitOptions, Permit } from '../request.ts';
import { checkRequest } from '../signal/parse-signal.ts';
import type { Signal, SignalError } from '../signal/signal.ts';
import { toJson } from '../to-json.ts';
import type { Trip } from '../trip.ts';

/** What a step needs of its conversation. @internal */
export interface StepHost {
  admit(request: AdmissionRequest, options: AdmitOptions): MaybePromise<Admission>;
  observe(signal: Signal): unknown;
  onOpen(listener: (trip: Trip) => void): () => void;
  /** The trip that refuses a step with none of these permits. */
  refusal(...permits: readonly (Permit | undefined)[]): Trip | undefined;
  /** Emits an error of a report. */
  reportError(error: unknown): void;
  now(): number;
}

/** A step under way. */
export interface Step {
  /** Aborts when the conversation trips or the caller's own signal does. Hand it to the model or the tool. */
  readonly signal: AbortSignal;
  /** Hand it to the steps inside this one as `within`. */
  readonly permit: Permit;
}

/** How the work of a step ended. */
export type Outcome<T> = { readonly value: T } | { readonly error: unknown };

/** Options of {@link Breaker.run}. */
export interface RunOptions<T> {
  /** The permit of the step that this one is part of. */
  readonly within?: Permit | undefined;
  /** The caller's own signal: when it aborts, so does the step. */
  readonly signal?: AbortSignal | undefined;
  /** The result of a refused or stopped step. Without it, {@link TrippedError} is thrown. */
  readonly fallback?: (trip: Trip) => MaybePromise<T>;
  /**
   * The signal that reports the outcome. By default a turn reports its text, a tool call its result or error, an execution its
   * `exitCode` and `output`, a model call its `usage`, and a nested chat its end.
   */
  readonly report?: (outcome: Outcome<T>) => Signal | undefined;
}

const NAMES: OptionNames<RunOptions<unknown>> = {
  within: true,
  signal: true,
  fallback: true,
  report: true,
};

/**
 * Admits a step, runs its work, reports the outcome, and releases the permit.
 *
 * A trip ends the wait for work that does not heed its signal. Its outcome is still reported when it comes.
 * @internal
 */
export async function runStep<T>(
  host: StepHost,
  request: AdmissionRequest,
  work: (step: Step) => MaybePromise<T>,
  options: RunOptions<T>,
): Promise<T> {
  const { within, signal, fallback, report } = readOptions(work, options, request, host);
  signal?.throwIfAborted();
  const admission = await host.admit(request, { within, signal });
  if (!admission.isAdmitted) return refuse(admission.trip, fallback);
  const { permit } = admission;
  // The answer took its time: meanwhile the caller may have given up, or the circuit opened.
  const isWrapUp = request.kind === 'model-request' && request.isWrapUp === true;
  const late = isWrapUp ? undefined : host.refusal(permit, within);
  if (signal?.aborted === true || late !== undefined) {
    withdraw(host, request);
    permit.release();
    signal?.throwIfAborted();
    if (late !== undefined) return refuse(late, fallback);
  }
  const controller = new AbortController();
  const abort = (): void => controller.abort(signal?.reason);
  const close = host.onOpen((trip) => controller.abort(new TrippedError(trip)));
  signal?.addEventListener('abort', abort, { once: true });
  // What has ended is handed on, also where its own report opens the circuit.
  const observed = observe(host, work, { signal: controller.signal, permit }, report, close);
  try {
    return await untilAborted(observed, controller.signal);
  } catch (error) {
    const { reason } = controller.signal;
    if (controller.signal.aborted && error === reason && reason instanceof TrippedError) {
      return await refuse(reason.trip, fallback);
    }
    throw error;
  } finally {
    close();
    signal?.removeEventListener('abort', abort);
    permit.release();
  }
}

/** The options with the default report. Nothing begins if one of them cannot be used. */
function readOptions<T>(
  work: unknown,
  options: RunOptions<T>,
  request: AdmissionRequest,
  host: StepHost,
): RunOptions<T> & Pick<Required<RunOptions<T>>, 'report'> {
  checkRequest(request);
  functionOf('work', work);
  checkNames('options', options, NAMES);
  const { signal, fallback, report = reporter<T>(host, request) } = options;
  if (fallback !== undefined) functionOf('fallback', fallback);
  functionOf('report', report);
  if (signal !== undefined && typeof Object(signal).addEventListener !== 'function') {
    throw new InvalidOptionError('signal', 'an AbortSignal', signal);
  }
  return { ...options, report };
}

async function observe<T>(
  host: StepHost,
  work: (step: Step) => MaybePromise<T>,
  step: Step,
  report: (outcome: Outcome<T>) => Signal | undefined,
  ended: () => void,
): Promise<T> {
  let outcome: Outcome<T>;
  try {
    outcome = { value: await work(step) };
  } catch (error) {
    outcome = { error };
  }
  ended();
  try {
    const signal = report(outcome);
    if (signal !== undefined) host.observe(signal);
  } catch (error) {
    host.reportError(error);
  }
  if ('error' in outcome) throw outcome.error;
  return outcome.value;
}

/** Lets go of what was reserved for a call that is not made after all. */
function withdraw(host: StepHost, request: AdmissionRequest): void {
  if (request.kind !== 'model-request') return;
  const { agent, depth, model, requestId } = request;
  host.observe({
    kind: 'usage',
    at: host.now(),
    agent,
    model,
    ...(depth !== undefined && { depth }),
    ...(requestId !== undefined && { requestId }),
    inputTokens: 0,
    outputTokens: 0,
    costUsd: 0,
    error: { message: 'the call was not made', code: 'TRIPPED' },
  });
}

function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

function refuse<T>(
  trip: Trip,
  fallback: ((trip: Trip) => MaybePromise<T>) | undefined,
): MaybePromise<T> {
  if (fallback === undefined) throw new TrippedError(trip);
  return fallback(trip);
}

/** The default report: the signal that the request's kind ends with. */
function reporter<T>(
  host: StepHost,
  request: AdmissionRequest,
): (outcome: Outcome<T>) => Signal | undefined {
  const { agent, depth } = request;
  return (outcome) => {
    const at = host.now();
    const base = { at, agent, ...(depth !== undefined && { depth }) };
    const value: unknown = 'value' in outcome ? outcome.value : undefined;
    const error = 'error' in outcome ? signalError(outcome.error) : undefined;
    // A refused step inside this one is no failure of it. A model call has a reservation to settle.
    if ('error' in outcome && isTripped(outcome.error) && request.kind !== 'model-request') {
      return undefined;
    }
    switch (request.kind) {
      case 'turn':
        return typeof value === 'string' ? { ...base, kind: 'message', text: value } : undefined;
      case 'tool-call': {
        const { tool, args } = request;
        const end = error ? { error } : { result: toJson(value) };
        return { ...base, kind: 'tool-call', tool, args, ...end };
      }
      case 'execution': {
        const { language, code } = request;
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
      case 'model-request': {
        const { inputTokens, outputTokens, costUsd } = Object(Object(value).usage);
        const { model, requestId } = request;
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
      case 'nested-start': {
        const { chatId, path } = request;
        const text = typeof value === 'string' ? { text: value } : undefined;
        return { ...base, depth: request.depth, kind: 'nested-end', chatId, path, ...text };
      }
      default:
        return undefined;
    }
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
