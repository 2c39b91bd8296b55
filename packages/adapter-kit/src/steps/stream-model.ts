import { readUsage } from '@teamfuse/core';
import type { GuardContext } from '../context/guard-context.ts';
import { passOn } from '../context/passed-stream.ts';
import type { StreamWithResult } from '../context/stream-with-result.ts';
import { ModelCall, type ModelCallInfo } from '../models/model-call.ts';

/** How a model is called that streams, and which of its items says what the call took. */
export interface ModelStream<T, R> extends ModelCallInfo {
  /** Calls the model; `signal` aborts when the caller's signal does, or the run is stopped. */
  readonly open: (signal: AbortSignal | undefined) => StreamWithResult<T, R>;
  /**
   * The usage of the call so far, if an item reports it, as OpenAI, Anthropic or the AI SDK do. Of several, the last one that
   * can be read counts.
   */
  readonly usageOf: (item: T) => object | null | undefined;
  /**
   * The text of an item, which counts if the call ends without usage.
   * @defaultValue the items that are text
   */
  readonly textOf?: (item: T) => string;
  /** Whether that item says that the answer came out of a cache, so that nothing was spent. @defaultValue never */
  readonly isCached?: (item: T) => boolean;
  /** The call, if it was admitted before. @defaultValue asks when the first item is asked for */
  readonly call?: ModelCall | undefined;
}

/**
 * Calls a model that streams its answer: asks, hands on what comes, and reports the usage or the error when the stream ends,
 * or its reader leaves. A call without usage is reported with what has come of its answer.
 *
 * @throws TrippedError when the call is refused, or stopped while it waits.
 */
export function streamModel<T, R>(
  context: GuardContext,
  {
    open,
    usageOf,
    textOf = textIn,
    isCached = () => false,
    call: admitted,
    ...info
  }: ModelStream<T, R>,
): AsyncGenerator<T, R> {
  return passOn(context, async () => {
    if (!context.isActive) return { open: () => open(info.signal) };
    const { scope } = context;
    const call = admitted ?? (await ModelCall.begin(context, info));
    const signal = context.abortSignal(info.signal);
    let isAnswered = false;
    let later: object | undefined;
    return {
      open: () => open(signal),
      scope,
      isLeaf: true,
      heard: (item) => {
        call.streamed(textOf(item));
        const usage = usageOf(item);
        const cached = isCached(item);
        if (!cached && readUsage(usage) === undefined) return;
        if (isAnswered) later = usage ?? undefined;
        else call.answered(usage, { cached });
        isAnswered = true;
      },
      // The reader may be anywhere when it asks for the next item, or leaves.
      ended: (outcome) =>
        context.within(scope, () => {
          if (later !== undefined) call.corrected(later);
          if (outcome !== undefined && 'error' in outcome) call.failed(outcome.error);
          call.left();
          return undefined;
        }),
    };
  });
}

function textIn(item: unknown): string {
  return typeof item === 'string' ? item : '';
}
