import type { Admission, Permit } from '../../admission.ts';
import { untilAborted } from '../../deadline.ts';
import { InvalidOptionError } from '../../errors.ts';
import { asking, isPromise, isRealPromise, type MaybePromise } from '../../maybe-promise.ts';
import { checkNames, functionOf, type OptionNames } from '../../options.ts';
import type { AdmissionRequest } from '../../signal/request.ts';
import type { Signal } from '../../signal/signal.ts';
import { type Trip, TrippedError } from '../../trip.ts';
import { OpenStep } from './open-step.ts';
import type { StepHost } from './step-host.ts';
import { type Outcome, reportOf, unmadeUsage } from './step-report.ts';

/** A running step. */
export interface Step {
  /** Aborts when the conversation trips or the caller's signal aborts. Pass it to the model or the tool. */
  readonly signal: AbortSignal;
  /** Pass it to nested steps as `within`. */
  readonly permit: Permit;
  /** Notes a piece of a model's answer, as text, which counts if the call breaks off or has no usage. */
  readonly streamed: (text: string) => void;
}

/** Options of {@link Breaker.run}. */
export interface RunOptions<T> {
  /** The permit of the enclosing step. */
  readonly within?: Permit | undefined;
  /** Aborts the step. */
  readonly signal?: AbortSignal | undefined;
  /** Returns the result of a refused or stopped step. Without it, {@link TrippedError} is thrown. */
  readonly fallback?: (trip: Trip) => MaybePromise<T>;
  /**
   * The signal that reports the outcome. By default a turn reports its text, a tool call its result or error, an execution its
   * `exitCode` and `output`, a model call its `usage`, and a nested chat its end.
   */
  readonly report?: (outcome: Outcome<T>) => Signal | undefined;
}

/** Options of {@link runStep}. */
interface StepOptions<T> extends RunOptions<T> {
  /**
   * Whether the result is what the work gives, itself: a promise with its class and members, or another thenable, which is not
   * awaited. The host must not stop such a step.
   * @defaultValue false
   */
  readonly isAsIs?: boolean;
}

const NAMES: OptionNames<RunOptions<unknown>> = {
  within: true,
  signal: true,
  fallback: true,
  report: true,
};

/** How long people take is known only afterwards, so that no timer ends these steps. Steps inside them it does. */
const MAY_WAIT_FOR_PEOPLE: readonly string[] = ['turn', 'nested-start', 'handoff'];

/**
 * Runs a step; see {@link Conversation.run}. Synchronous if the admission and the work are. The outcome of work that ignores
 * its signal is still reported when it comes.
 *
 * @throws {@link TrippedError} if the step is refused or stopped, unless there is a `fallback`.
 */
export function runStep<T>(
  host: StepHost,
  request: AdmissionRequest,
  work: (step: Step) => MaybePromise<T>,
  options: StepOptions<T> = {},
): MaybePromise<T> {
  const { within, signal } = options;
  signal?.throwIfAborted();
  const asked = host.admit(request, { within, signal, isReleased: true });
  const held = (answer: Admission): Admission => kept(host, request, within, answer, signal);
  if (!isPromise(asked)) return begin(host, request, work, options, held(asked));
  const answer = Promise.resolve(asked);
  return untilAborted(answer, signal).then(
    (admission) => begin(host, request, work, options, held(admission)),
    (error) => {
      // What an answer holds that comes too late is released.
      answer.then(held).catch(() => {});
      throw error;
    },
  );
}

/**
 * Asks for a step. If the caller gave up or the circuit opened before a late answer, what the answer holds is released.
 */
export function askForStep(
  host: StepHost,
  request: AdmissionRequest,
  options: Pick<RunOptions<unknown>, 'within' | 'signal'> = {},
): MaybePromise<Admission> {
  const { within, signal } = options;
  const answer = host.admit(request, { within, signal, isReleased: true });
  if (!isPromise(answer)) return kept(host, request, within, answer);
  return Promise.resolve(answer).then((late) => kept(host, request, within, late, signal));
}

/** Checks the arguments of {@link Breaker.run}. */
export function checkRun<T>(work: unknown, options: RunOptions<T>): void {
  functionOf('work', work);
  checkNames('options', options, NAMES);
  const { signal, fallback, report } = options;
  if (fallback !== undefined) functionOf('fallback', fallback);
  if (report !== undefined) functionOf('report', report);
  if (signal !== undefined && typeof Object(signal).addEventListener !== 'function') {
    throw new InvalidOptionError('signal', 'an AbortSignal', signal);
  }
}

function kept(
  host: StepHost,
  request: AdmissionRequest,
  within: Permit | undefined,
  admission: Admission,
  signal?: AbortSignal | undefined,
): Admission {
  if (!admission.isAdmitted) return admission;
  const { permit } = admission;
  const isWrapUp = request.kind === 'model-request' && request.isWrapUp === true;
  const trip = isWrapUp ? undefined : host.refusal(permit, within);
  if (trip === undefined && signal?.aborted !== true) return admission;
  // Releases the reservation of the call.
  if (request.kind === 'model-request') host.observe(unmadeUsage(request, host.now()));
  permit.release();
  signal?.throwIfAborted();
  return trip === undefined ? admission : { isAdmitted: false, trip };
}

function begin<T>(
  host: StepHost,
  request: AdmissionRequest,
  work: (step: Step) => MaybePromise<T>,
  options: StepOptions<T>,
  admission: Admission,
): MaybePromise<T> {
  const { fallback, signal } = options;
  if (!admission.isAdmitted) return refuse(admission.trip, fallback);
  const told = (outcome: Outcome<T>): Signal | undefined =>
    reportOf(request, outcome, host.now(), step.cut);
  const step: OpenStep<T> = new OpenStep(host, admission.permit, signal, options.report ?? told);
  let value: MaybePromise<T>;
  try {
    value = work(step);
    if (options.isAsIs) {
      if (isRealPromise(value)) return step.follow(value as Promise<T>);
    } else if (isPromise(value)) {
      const ending = step.ending(value, (trip) => asking(() => refuse(trip, fallback)));
      const isTimed = !MAY_WAIT_FOR_PEOPLE.includes(request.kind);
      return (isTimed && host.timed?.(ending, request.at)) || ending;
    }
  } catch (error) {
    step.end({ error });
    throw error;
  }
  step.end({ value: value as T });
  return value;
}

function refuse<T>(
  trip: Trip,
  fallback: ((trip: Trip) => MaybePromise<T>) | undefined,
): MaybePromise<T> {
  if (fallback === undefined) throw new TrippedError(trip);
  return fallback(trip);
}
