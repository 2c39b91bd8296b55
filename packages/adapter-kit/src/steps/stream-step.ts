import type { AdmissionRequest, Signal } from '@teamfuse/core';
import type { GuardContext } from '../context/guard-context.ts';
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
 * Runs a step whose work is a stream, as {@link GuardContext.step} runs others.
 *
 * @throws TrippedError when the step is refused, or stopped while it waits.
 */
export async function* streamStep<T, R, L>(
  context: GuardContext<L>,
  request: AdmissionRequest,
  open: () => AsyncIterable<T, R>,
  options: StreamStepOptions<T, R, L> = {},
): AsyncGenerator<T, R> {
  const { scope = context.scope, heard, isLast, report, isLeaf = false, signal } = options;
  const permit = await context.admit(request);
  const place = permit.isProbe && scope ? { ...scope, permit } : scope;
  let isOver = false;
  // The reader may be anywhere when it asks for the next item, or leaves.
  const end = (outcome?: StepOutcome<R>): void => {
    if (isOver) return;
    isOver = true;
    context.within(place, () => {
      const ended = context.attempt('observe', () => report?.(outcome));
      if (ended !== undefined) context.observe(ended);
    });
    permit.release();
  };
  const listen = (item: T): void => {
    heard?.(item);
    if (isLast?.(item) === true) end();
  };
  try {
    const value = yield* isLeaf
      ? context.leafStream(place, open, listen)
      : context.stream(place, open, listen);
    end({ value });
    return value;
  } catch (error) {
    const isCutOff = context.within(place, () => context.isCutOff(error, signal));
    end(isCutOff ? undefined : { error });
    throw error;
  } finally {
    end();
  }
}
