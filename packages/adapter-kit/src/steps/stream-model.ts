import type { TokenUsage } from '@teamfuse/core';
import type { GuardContext } from '../context/guard-context.ts';
import { ModelCall, type ModelCallInfo } from '../models/model-call.ts';

/** How a model is called that streams, and which of its items says what the call took. */
export interface ModelStream<T, R> extends ModelCallInfo {
  /** Calls the model; `signal` aborts when the caller's signal does, or the run is stopped. */
  readonly open: (signal: AbortSignal | undefined) => AsyncIterable<T, R>;
  /**
   * The usage of the whole call that an item tells; `undefined` for all other items. `null` for the item that ends an answer
   * and tells none: the call counts as it was reserved then.
   */
  readonly usageOf: (item: T) => TokenUsage | null | undefined;
  /** Whether that item says that the answer came out of a cache, so that nothing was spent. @defaultValue never */
  readonly isCached?: (item: T) => boolean;
}

/**
 * Calls a model that streams its answer: asks, hands on what comes, and reports the usage or the error. A call whose stream
 * ends, or whose reader leaves, before that is reported as one that broke off: as an estimate of its prompt.
 *
 * @throws TrippedError when the call is refused, or stopped while it waits.
 */
export async function* streamModel<T, R>(
  context: GuardContext,
  { open, usageOf, isCached = () => false, ...info }: ModelStream<T, R>,
): AsyncGenerator<T, R> {
  if (!context.isActive) return yield* open(info.signal);
  const { scope } = context;
  const call = await ModelCall.begin(context, info);
  const heard = (item: T): void => {
    const usage = usageOf(item);
    if (usage !== undefined) call.answered(usage, { cached: isCached(item) });
  };
  const signal = context.abortSignal(info.signal);
  // The reader may be anywhere when it asks for the next item, or leaves.
  const report = (work: () => void): void => context.within(scope, work);
  try {
    return yield* context.leafStream(scope, () => open(signal), heard);
  } catch (error) {
    report(() => call.failed(error));
    throw error;
  } finally {
    report(() => call.left());
  }
}
