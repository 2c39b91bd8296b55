import { isTripped, type Signal, type Trip } from '@teamfuse/core';
import {
  type AdmissionRequest,
  andThen,
  atOnce,
  FREE_PERMIT,
  type MaybePromise,
  type Outcome,
  orRejection,
  type Permit,
} from '@teamfuse/core/kit';
import type { GuardContext } from '../context/guard-context.ts';
import { resultOf } from '../context/last-answer.ts';
import { passOn, type StreamWork } from '../context/passed-stream.ts';
import { inside, type Scope } from '../context/scope.ts';
import type { AskOptions } from '../context/step-options.ts';
import type { StreamWithResult } from '../context/stream-with-result.ts';

/** One step: what is asked for, where its work goes on, and how its end is reported. */
export interface StepSpec<R, L, T = R> extends AskOptions {
  readonly request: AdmissionRequest;
  /** The place of everything inside. @defaultValue the current one */
  readonly scope?: Scope<L> | undefined;
  /** Whether it has no steps inside, so that the wait for it ends when the run is aborted. @defaultValue false */
  readonly isLeaf?: boolean;
  /** The caller's signal. A step that it ends is cancelled. */
  readonly signal?: AbortSignal | undefined;
  /** What comes of the work while the guard tests itself. @defaultValue the work is done */
  readonly rehearsed?: { readonly value: unknown } | undefined;
  /** Whether the breaker has admitted it before. @defaultValue false */
  readonly isAdmitted?: boolean;
  /** Takes what the step holds, and gives it back by itself: for a call that goes on after its end. */
  readonly admitted?: (permit: Permit) => void;
  /** The step that is taken instead if this one is refused with an error. @defaultValue none */
  readonly instead?: (error: unknown) => StepSpec<R, L, T> | undefined;
  /** What the step gives if it alone is refused, or the last answer of its run is due: the text says why. @defaultValue throws a TrippedError */
  readonly refusedAs?: ((text: string) => unknown) | undefined;
  /** The work begins, once the breaker holds it up no longer. */
  readonly begin?: () => void;
  /** Receives what comes of the work, whole or item by item, at the place of the step. */
  readonly onItem?: ((item: T) => void) | undefined;
  /** Why nothing is wanted of its stream after the latest item; `undefined` while it goes on. */
  readonly stopped?: (() => Trip | undefined) | undefined;
  /** The signal of the outcome; of none if it has ended with an item, was cut off, or its reader has left. */
  readonly report?: (outcome: Outcome<R> | undefined) => Signal | undefined;
}

/** A kind of step, which {@link call}, {@link stream} and {@link begin} take at the current place. */
export interface StepKind<R, L, T = R> {
  /** The caller's signal. */
  readonly signal?: AbortSignal | undefined;
  /** Describes the step at the current place. */
  at(context: GuardContext<L>): StepSpec<R, L, T>;
}

/**
 * Takes a step as a whole: asks, does its work, and reports what came of it. `work` gets a signal that aborts when the caller's signal
 * does, or the run is stopped.
 *
 * @throws TrippedError when the step is refused, or stopped while it waits.
 */
export function call<T, L>(
  context: GuardContext<L>,
  kind: StepKind<T, L>,
  work: (signal: AbortSignal | undefined) => MaybePromise<T>,
): Promise<T> {
  if (!context.isActive) return Promise.resolve(work(kind.signal));
  return taken(context, kind.at(context), work);
}

function taken<T, L>(
  context: GuardContext<L>,
  step: StepSpec<T, L>,
  work: (signal: AbortSignal | undefined) => MaybePromise<T>,
): Promise<T> {
  const { request, rehearsed, signal, onItem, report, instead } = step;
  const begun = (): MaybePromise<T> => {
    step.begin?.();
    return rehearsed === undefined ? work(context.abortSignal(signal)) : (rehearsed.value as T);
  };
  const ended = (outcome: Outcome<T>): Signal | undefined => {
    if ('value' in outcome) onItem?.(outcome.value);
    return report?.(outcome);
  };
  if (step.admitted !== undefined) {
    const refused = (error: unknown): Promise<T> => {
      const other = instead?.(error);
      if (other === undefined) throw error;
      return context.within(other.scope, () => taken(context, other, work));
    };
    return callUntilStopped(context, step, { work: begun, ended, refused });
  }
  return context.step(request, begun, { ...step, report: ended });
}

/** What a call does once it is asked for. */
interface Course<T> {
  readonly work: () => MaybePromise<T>;
  readonly ended: (outcome: Outcome<T>) => unknown;
  readonly refused: (error: unknown) => Promise<T>;
}

/** A call that is over for the guard as soon as it is stopped, whatever comes of it later. */
async function callUntilStopped<T, L>(
  context: GuardContext<L>,
  { request, signal, isSelection, admitted }: StepSpec<T, L>,
  { work, ended, refused }: Course<T>,
): Promise<T> {
  let permit: Permit;
  try {
    permit = await context.ask(request, { signal: context.abortSignal(signal), isSelection });
  } catch (error) {
    return refused(error);
  }
  admitted?.(permit);
  try {
    const value = await context.untilStopped(Promise.resolve(work()));
    ended({ value });
    return value;
  } catch (error) {
    ended({ error });
    throw error;
  }
}

/** How the work of a step streams. */
export interface StreamOptions<T> {
  /** Whether the step ends with an item, before the reader has it. @defaultValue it ends with the stream */
  readonly isLast?: ((item: T) => boolean) | undefined;
  /** The item that stands for a step which alone is refused, by what it gives then. @defaultValue none */
  readonly refusedItem?: ((given: unknown) => T) | undefined;
}

/**
 * Takes a step whose work is a stream: asks when the first item is asked for, hands on what comes, and reports the outcome when the
 * stream ends, or its reader leaves.
 *
 * @throws TrippedError when the step is refused, or stopped while it waits.
 */
export function stream<T, R, L>(
  context: GuardContext<L>,
  kind: StepKind<R, L, T>,
  open: (signal: AbortSignal | undefined) => StreamWithResult<T, R>,
  options: StreamOptions<T> = {},
): AsyncGenerator<T, R> {
  return passOn(context, () =>
    context.isActive ? streamWork(context, kind, open, options) : { open: () => open(kind.signal) },
  );
}

/** The work of {@link stream}, once the step is admitted. */
export function streamWork<T, R, L>(
  context: GuardContext<L>,
  kind: StepKind<R, L, T>,
  open: (signal: AbortSignal | undefined) => StreamWithResult<T, R>,
  options: StreamOptions<T>,
): MaybePromise<StreamWork<T, R, L>> {
  return workOf(context, kind.at(context), open, options);
}

function workOf<T, R, L>(
  context: GuardContext<L>,
  step: StepSpec<R, L, T>,
  open: (signal: AbortSignal | undefined) => StreamWithResult<T, R>,
  options: StreamOptions<T>,
): MaybePromise<StreamWork<T, R, L>> {
  const { request, rehearsed, signal, isSelection, asksModel } = step;
  const begun = (): StreamWithResult<T, R> => {
    step.begin?.();
    if (rehearsed !== undefined) return once<T, R>(rehearsed.value as T);
    return open(context.abortSignal(signal));
  };
  const asked = { signal: context.abortSignal(signal), isSelection, asksModel };
  const permit = step.isAdmitted ? FREE_PERMIT : orRejection(() => context.ask(request, asked));
  const admit = (given: Permit): StreamWork<T, R, L> =>
    streamed(step, begun, endOf(context, step, given), options);
  return andThen(permit, admit, (error) => {
    const other = step.instead?.(error);
    if (other !== undefined)
      return context.within(other.scope, () => workOf(context, other, open, options));
    const text = step.refusedAs && isTripped(error) ? resultOf(context, error.trip) : undefined;
    if (text === undefined) throw error;
    const given = step.refusedAs?.(text);
    return { open: () => inPlace(given as R, options) };
  });
}

/** The stream of a step that alone is refused. */
async function* inPlace<T, R>(given: R, { refusedItem }: StreamOptions<T>): AsyncGenerator<T, R> {
  if (refusedItem !== undefined) yield refusedItem(given);
  return given;
}

function streamed<T, R, L>(
  { isLeaf, onItem, stopped }: StepSpec<R, L, T>,
  open: () => StreamWithResult<T, R>,
  { scope, end }: BegunStep<R, L>,
  { isLast }: StreamOptions<T>,
): StreamWork<T, R, L> {
  return {
    open,
    scope,
    isLeaf,
    onItem,
    stopped,
    afterItem:
      isLast &&
      ((item) => {
        if (isLast(item)) end(undefined);
      }),
    // The reader may be anywhere when it asks for the next item, or leaves.
    onEnd: (outcome) => {
      end(outcome);
      return undefined;
    },
  };
}

async function* once<T, R>(item: T): AsyncGenerator<T, R> {
  yield item;
  return undefined as R;
}

/** A step that was admitted, until {@link BegunStep.end} is called: for frameworks that tell of the end elsewhere. */
export interface BegunStep<R, L> {
  /** The place of everything in the step. */
  readonly scope: Scope<L> | undefined;
  /** Reports the outcome; `undefined` if there is none, as the step was left or goes on as another one. Idempotent. */
  end(outcome: Outcome<R> | undefined): void;
}

/**
 * Begins a step at the current place.
 *
 * @throws TrippedError when the step is refused.
 */
export async function begin<R, L>(
  context: GuardContext<L>,
  kind: StepKind<R, L, never>,
): Promise<BegunStep<R, L>> {
  const step = kind.at(context);
  const { request, signal, isSelection, asksModel } = step;
  const permit = await context.ask(request, { signal, isSelection, asksModel });
  step.begin?.();
  const begun = endOf(context, step, permit);
  return { ...begun, end: (outcome) => begun.end(context.isActive ? outcome : undefined) };
}

/** How a step ends that was admitted. */
function endOf<R, L>(
  context: GuardContext<L>,
  { admitted, report, signal, ...step }: StepSpec<R, L, never>,
  permit: Permit,
): BegunStep<R, L> {
  admitted?.(permit);
  const scope = inside(step.scope ?? context.scope, permit);
  let isOver = false;
  return {
    scope,
    end(outcome) {
      if (isOver) return;
      isOver = true;
      const isCutOff = context.within(scope, () => {
        const isCutOff =
          outcome !== undefined && 'error' in outcome && context.isCutOff(outcome.error, signal);
        if (report !== undefined) {
          context.attempt('observe', () => {
            const signal = atOnce('report', report(isCutOff ? undefined : outcome));
            if (signal !== undefined) context.observe(signal);
          });
        }
        return isCutOff;
      });
      if (admitted !== undefined) return;
      if (isCutOff) permit.cancel();
      else permit.release();
    },
  };
}
