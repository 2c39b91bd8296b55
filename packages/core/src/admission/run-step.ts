import type { Admission, Permit } from '../circuit/permit.ts';
import { type Trip, TrippedError } from '../circuit/trip.ts';
import { untilAborted } from '../common/deadline.ts';
import { InvalidOptionError } from '../common/errors.ts';
import {
  isPromise,
  isRealPromise,
  type MaybePromise,
  orRejection,
} from '../common/maybe-promise.ts';
import { checkNames, functionOf, type OptionNames } from '../common/options.ts';
import type { AdmissionRequest } from '../signal/request.ts';
import type { ModelRequestSignal, Signal } from '../signal/signal.ts';
import { type CallUsage, ModelCall } from './model-call.ts';
import { OpenStep, reportEnd } from './open-step.ts';
import type { StepHost } from './step-host.ts';
import { givenUp, guessedUsage, type Outcome, reportOf } from './step-report.ts';

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
  /** Ends the wait for the admission, and nothing else. @defaultValue `signal` */
  readonly askedUntil?: AbortSignal | undefined;
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
  const { within, signal, askedUntil = signal } = options;
  signal?.throwIfAborted();
  const asked = host.admit(request, { within, signal: askedUntil, willRelease: true });
  if (!isPromise(asked)) {
    return begin(host, request, work, options, stillAdmitted(host, request, within, asked, signal));
  }
  const held = (late: Admission): Admission =>
    stillAdmitted(host, request, within, late, askedUntil);
  const answer = Promise.resolve(asked);
  return untilAborted(answer, askedUntil).then(
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
  const answer = host.admit(request, { within, signal, willRelease: true });
  if (!isPromise(answer)) return stillAdmitted(host, request, within, answer);
  return Promise.resolve(answer).then((late) => stillAdmitted(host, request, within, late, signal));
}

/** Checks the arguments of {@link Breaker.run}. */
export function checkRun<T>(work: unknown, options: RunOptions<T>): void {
  functionOf('work', work);
  checkNames('options', options, NAMES);
  const { signal, fallback, report, within } = options;
  if (within !== undefined && typeof Object(within).release !== 'function') {
    throw new InvalidOptionError('within', 'the permit of a step: ({ permit }) => …', within);
  }
  if (fallback !== undefined) functionOf('fallback', fallback);
  if (report !== undefined) functionOf('report', report);
  if (signal !== undefined && typeof Object(signal).addEventListener !== 'function') {
    throw new InvalidOptionError('signal', 'an AbortSignal', signal);
  }
}

function stillAdmitted(
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
  if (request.kind === 'model-request') new ModelCall({ host, request }).unmade();
  permit.cancel();
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
  const { permit } = admission;
  const call = request.kind === 'model-request' ? modelCallOf(host, request) : undefined;
  const end = call && !options.report ? endOfCall(host, call) : endOf(host, request, options);
  const streamed = (text: string): void => call?.streamed(text);
  const step: OpenStep<T> = new OpenStep(host, permit, signal, streamed, end);
  let value: MaybePromise<T>;
  try {
    value = work(step);
    if (options.isAsIs) {
      if (isRealPromise(value)) return step.endWith(value as Promise<T>);
    } else if (isPromise(value)) {
      const ending = step.ending(value, (trip) => orRejection(() => refuse(trip, fallback)));
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

/** How a model call is reported, whose prompt is counted before the answer. */
function modelCallOf(host: StepHost, request: ModelRequestSignal): ModelCall {
  const expected = host.expects?.(request);
  const { inputTokens = expected?.inputTokens ?? 0 } = request;
  const { streamLimit } = expected ?? {};
  return new ModelCall({ host, request: { ...request, inputTokens }, streamLimit });
}

function endOfCall(
  host: StepHost,
  call: ModelCall,
): (outcome: Outcome<unknown>, isGivenUp: boolean) => void {
  return (outcome, isGivenUp) => {
    if ('error' in outcome) return call.failed(outcome.error, { isGivenUp });
    const { value } = outcome;
    const guess = (): CallUsage => {
      host.reportUnread?.(value);
      return guessedUsage(call.request, value);
    };
    call.answered(value, { guess });
  };
}

/** How the outcome of a step is reported that takes nothing, or is reported by its caller. */
function endOf<T>(
  host: StepHost,
  request: AdmissionRequest,
  { report }: StepOptions<T>,
): (outcome: Outcome<T>, isGivenUp: boolean) => void {
  const begunAt = host.now();
  const told = report ?? ((outcome) => reportOf(request, outcome, { begunAt, at: host.now() }));
  return (outcome, isGivenUp) =>
    reportEnd(host, isGivenUp ? () => givenUp(told(outcome)) : told, outcome);
}

function refuse<T>(
  trip: Trip,
  fallback: ((trip: Trip) => MaybePromise<T>) | undefined,
): MaybePromise<T> {
  if (fallback === undefined) throw new TrippedError(trip);
  return fallback(trip);
}
