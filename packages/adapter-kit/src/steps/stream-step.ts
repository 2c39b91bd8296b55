import type { AdmissionRequest, MaybePromise, Permit, Signal } from '@teamfuse/core';
import type { GuardContext } from '../context/guard-context.ts';
import { after } from '../context/maybe-promise.ts';
import type { StreamWork } from '../context/passed-stream.ts';
import type { StepOptions, StepOutcome } from '../context/step-options.ts';

/** How a step goes whose work is a stream. */
export interface StreamStepOptions<T, R, L> extends Omit<StepOptions<R, L>, 'report'> {
  /** Receives each item, at the place of the step. */
  readonly heard?: ((item: T) => void) | undefined;
  /** Whether the step ends with an item, before the reader has it. @defaultValue it ends with the stream */
  readonly isLast?: ((item: T) => boolean) | undefined;
  /** The signal of the outcome; of none if it has ended with an item, or its reader has left. */
  readonly report?: (outcome: StepOutcome<R> | undefined) => Signal | undefined;
}

/**
 * Begins a step whose work is a stream, as {@link GuardContext.step} runs others.
 *
 * @throws TrippedError when the step is refused.
 */
export function streamStep<T, R, L>(
  context: GuardContext<L>,
  request: AdmissionRequest,
  open: () => AsyncIterable<T, R>,
  options: StreamStepOptions<T, R, L> = {},
): MaybePromise<StreamWork<T, R>> {
  return after(context.ask(request), (permit) => admitted(context, permit, open, options));
}

function admitted<T, R, L>(
  context: GuardContext<L>,
  permit: Permit,
  open: () => AsyncIterable<T, R>,
  options: StreamStepOptions<T, R, L>,
): StreamWork<T, R> {
  const { scope = context.scope, heard, isLast, report, isLeaf = false, signal } = options;
  const place = permit.isProbe && scope ? { ...scope, permit } : scope;
  let isOver = false;
  // The reader may be anywhere when it asks for the next item, or leaves.
  const end = (outcome?: StepOutcome<R>): undefined => {
    if (isOver) return;
    isOver = true;
    if (report !== undefined) {
      context.within(place, () => {
        const ended = context.attempt('observe', () => report(outcome));
        if (ended !== undefined) context.observe(ended);
      });
    }
    permit.release();
  };
  return {
    open,
    ...context.placing(place, isLeaf),
    heard: (item) => {
      heard?.(item);
      if (isLast?.(item) === true) end();
    },
    ended: (outcome) => {
      const isCutOff =
        outcome !== undefined &&
        'error' in outcome &&
        context.within(place, () => context.isCutOff(outcome.error, signal));
      return end(isCutOff ? undefined : outcome);
    },
  };
}
