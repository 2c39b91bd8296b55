import type { GuardContext } from '../context/guard-context.ts';
import { passOn } from '../context/passed-stream.ts';
import { ModelCall, type ModelCallInfo } from '../models/model-call.ts';

/** How a model is called that streams, and which of its items says what the call took. */
export interface ModelStream<T, R> extends ModelCallInfo {
  /** Calls the model; `signal` aborts when the caller's signal does, or the run is stopped. */
  readonly open: (signal: AbortSignal | undefined) => AsyncIterable<T, R>;
  /**
   * The usage of the whole call, if an item reports it, as OpenAI, Anthropic or the AI SDK do; `undefined` for all other items.
   * `null` for the item that ends an answer without usage: the call counts as it was reserved then.
   */
  readonly usageOf: (item: T) => object | null | undefined;
  /** Whether that item says that the answer came out of a cache, so that nothing was spent. @defaultValue never */
  readonly isCached?: (item: T) => boolean;
}

/**
 * Calls a model that streams its answer: asks, hands on what comes, and reports the usage or the error. A call whose stream
 * ends, or whose reader leaves, before that is reported as one that broke off: as an estimate of its prompt.
 *
 * @throws TrippedError when the call is refused, or stopped while it waits.
 */
export function streamModel<T, R>(
  context: GuardContext,
  { open, usageOf, isCached = () => false, ...info }: ModelStream<T, R>,
): AsyncGenerator<T, R> {
  return passOn(context, async () => {
    if (!context.isActive) return { open: () => open(info.signal) };
    const { scope } = context;
    const call = await ModelCall.begin(context, info);
    const signal = context.abortSignal(info.signal);
    return {
      open: () => open(signal),
      scope,
      isLeaf: true,
      heard: (item) => {
        const usage = usageOf(item);
        if (usage !== undefined) call.answered(usage, { cached: isCached(item) });
      },
      // The reader may be anywhere when it asks for the next item, or leaves.
      ended: (outcome) =>
        context.within(scope, () => {
          if (outcome !== undefined && 'error' in outcome) call.failed(outcome.error);
          call.left();
          return undefined;
        }),
    };
  });
}
