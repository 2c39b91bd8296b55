import type { GuardContext } from '../context/guard-context.ts';
import { ModelCall, type ModelCallInfo } from '../models/model-call.ts';

/** How a model is called, and what the answer says of its usage. */
export interface ModelWork<T> extends ModelCallInfo {
  /** Calls the model; `signal` aborts when the caller's signal does, or the run is stopped. */
  readonly work: (signal: AbortSignal | undefined) => Promise<T>;
  /** The usage, as OpenAI, Anthropic or the AI SDK report it. */
  readonly usageOf: (answer: T) => object | null | undefined;
  /** Whether the answer came out of a cache, so that nothing was spent. @defaultValue never */
  readonly isCached?: (answer: T) => boolean;
}

/**
 * Calls a model that answers as a whole: asks, calls, and reports the usage or the error.
 *
 * @throws TrippedError when the call is refused, or stopped while it waits.
 */
export async function callModel<T>(
  context: GuardContext,
  { work, usageOf, isCached = () => false, ...info }: ModelWork<T>,
): Promise<T> {
  if (!context.isActive) return work(info.signal);
  const call = await ModelCall.begin(context, info);
  try {
    const answer = await context.untilStopped(work(context.abortSignal(info.signal)));
    call.answered(usageOf(answer), { cached: isCached(answer) });
    return answer;
  } catch (error) {
    call.failed(error);
    throw error;
  }
}
