import type { GuardContext } from '../context/guard-context.ts';
import { passOn } from '../context/passed-stream.ts';
import type { StreamWithResult } from '../context/stream-with-result.ts';
import { type ToolInfo, toolStep } from './call-tool.ts';
import { streamStep } from './stream-step.ts';

/** A call of a tool that streams, and returns its value in the end. */
export interface ToolStream<T, R> extends ToolInfo<R> {
  /** Calls the tool; `signal` aborts when the caller's signal does, or the run is stopped. */
  readonly open: (signal: AbortSignal | undefined) => StreamWithResult<T, R>;
}

/**
 * Calls a tool that streams: asks, hands on what comes, and reports the result or the error. A call that its reader leaves
 * is not reported.
 *
 * @throws TrippedError when the call is refused, or stopped while it waits.
 */
export function streamTool<T, R>(
  context: GuardContext,
  { open, ...info }: ToolStream<T, R>,
): AsyncGenerator<T, R> {
  const { signal } = info;
  return passOn(context, () => {
    if (!context.isActive) return { open: () => open(signal) };
    const { request, report, ...step } = toolStep(context, info);
    return streamStep(context, request, () => open(context.abortSignal(signal)), {
      ...step,
      report: (outcome) => outcome && report(outcome),
    });
  });
}
