import { InvalidOptionError, TrippedError } from '../../errors.ts';
import type { MaybePromise } from '../../maybe-promise.ts';
import { checkNames, functionOf, type OptionNames } from '../../options.ts';
import type { Admission, AdmissionRequest, AdmitOptions, Permit } from '../../request.ts';
import { checkRequest } from '../../signal/parse-signal.ts';
import type { Signal } from '../../signal/signal.ts';
import type { Trip } from '../../trip.ts';
import { type Outcome, reportOf, unmadeUsage } from './step-report.ts';

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
  checkRequest(request);
  functionOf('work', work);
  checkOptions(options);
  const { within, signal, fallback } = options;
  const { report = (outcome) => reportOf(request, outcome, host.now()) } = options;
  signal?.throwIfAborted();
  const admission = await host.admit(request, { within, signal });
  if (!admission.isAdmitted) return refuse(admission.trip, fallback);
  const { permit } = admission;
  // The answer took its time: meanwhile the caller may have given up, or the circuit opened.
  const isWrapUp = request.kind === 'model-request' && request.isWrapUp === true;
  const late = isWrapUp ? undefined : host.refusal(permit, within);
  if (signal?.aborted === true || late !== undefined) {
    // What was reserved for the call is let go of.
    if (request.kind === 'model-request') host.observe(unmadeUsage(request, host.now()));
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

/** Nothing begins if an option cannot be used. */
function checkOptions<T>(options: RunOptions<T>): void {
  checkNames('options', options, NAMES);
  const { signal, fallback, report } = options;
  if (fallback !== undefined) functionOf('fallback', fallback);
  if (report !== undefined) functionOf('report', report);
  if (signal !== undefined && typeof Object(signal).addEventListener !== 'function') {
    throw new InvalidOptionError('signal', 'an AbortSignal', signal);
  }
}

/** Runs the work and reports how it ended. */
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
