import type { Signal } from '@teamfuse/core';
import {
  type AdmissionRequest,
  andThen,
  type MaybePromise,
  type Outcome,
  type Permit,
  reportEnd,
} from '@teamfuse/core/kit';
import type { GuardContext } from '../context/guard-context.ts';
import type { StreamWork } from '../context/passed-stream.ts';
import { inside } from '../context/scope.ts';
import type { StepOptions } from '../context/step-options.ts';
import { StepPlace } from '../context/step-place.ts';
import type { StreamWithResult } from '../context/stream-with-result.ts';

/** How a step goes whose work is a stream. */
export interface StreamStepOptions<T, R, L> extends Omit<StepOptions<R, L>, 'report'> {
  /** Receives each item, at the place of the step. */
  readonly heard?: ((item: T) => void) | undefined;
  /** Whether the step ends with an item, before the reader has it. @defaultValue it ends with the stream */
  readonly isLast?: ((item: T) => boolean) | undefined;
  /** The signal of the outcome; of none if it has ended with an item, or its reader has left. */
  readonly report?: (outcome: Outcome<R> | undefined) => Signal | undefined;
}

/**
 * Begins a step whose work is a stream, as {@link GuardContext.step} runs others.
 *
 * @throws TrippedError when the step is refused.
 */
export function streamStep<T, R, L>(
  context: GuardContext<L>,
  request: AdmissionRequest,
  open: () => StreamWithResult<T, R>,
  options: StreamStepOptions<T, R, L> = {},
): MaybePromise<StreamWork<T, R, L>> {
  return andThen(context.ask(request), (permit) => admitted(context, permit, open, options));
}

function admitted<T, R, L>(
  context: GuardContext<L>,
  permit: Permit,
  open: () => StreamWithResult<T, R>,
  options: StreamStepOptions<T, R, L>,
): StreamWork<T, R, L> {
  const { heard, isLast, report, isLeaf, signal } = options;
  const scope = inside(options.scope ?? context.scope, permit);
  let isOver = false;
  // The reader may be anywhere when it asks for the next item, or leaves.
  const end = (outcome?: Outcome<R>): undefined => {
    if (isOver) return;
    isOver = true;
    if (report !== undefined) {
      context.within(scope, () => reportEnd(new StepPlace(context, {}), report, outcome));
    }
    permit.release();
  };
  return {
    open,
    scope,
    isLeaf,
    heard,
    passed:
      isLast &&
      ((item) => {
        if (isLast(item)) end();
      }),
    ended: (outcome) => {
      const isCutOff =
        outcome !== undefined &&
        'error' in outcome &&
        context.within(scope, () => context.isCutOff(outcome.error, signal));
      return end(isCutOff ? undefined : outcome);
    },
  };
}
