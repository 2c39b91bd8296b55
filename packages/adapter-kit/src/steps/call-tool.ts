import { type ToolCallSignal, toJson } from '@teamfuse/core';
import type { GuardContext } from '../context/guard-context.ts';
import { signalError } from '../signals/signal-error.ts';

/** A call of a tool. */
export interface ToolWork<T> {
  readonly agent: string;
  readonly tool: string;
  readonly args: unknown;
  readonly callId?: string | undefined;
  /** The caller's signal. A call that it ends is cancelled, and not reported. */
  readonly signal?: AbortSignal | undefined;
  /** Calls the tool; `signal` aborts when the caller's signal does, or the run is stopped. */
  readonly work: (signal: AbortSignal | undefined) => Promise<T>;
  /** What the value says. @defaultValue a result, as JSON */
  readonly outcomeOf?: (value: T) => Pick<ToolCallSignal, 'result' | 'error'>;
}

/**
 * Calls a tool: asks, calls, and reports the result or the error.
 *
 * @throws TrippedError when the call is refused, or stopped while it waits.
 */
export async function callTool<T>(
  context: GuardContext,
  { agent, tool, args, callId, signal, work, outcomeOf = asResult }: ToolWork<T>,
): Promise<T> {
  if (!context.isActive) return work(signal);
  const call = { tool, args: toJson(args) };
  const startedAt = context.breaker.now();
  return context.step(
    { kind: 'tool-call', ...context.originOf(agent), ...call },
    () => work(context.abortSignal(signal)),
    {
      isLeaf: true,
      signal,
      report: (outcome) => {
        const origin = context.originOf(agent);
        const end =
          'value' in outcome ? outcomeOf(outcome.value) : { error: signalError(outcome.error) };
        const durationMs = Math.max(0, origin.at - startedAt);
        const id = callId !== undefined && { callId };
        return { kind: 'tool-call', ...origin, ...call, ...id, durationMs, ...end };
      },
    },
  );
}

function asResult(value: unknown): Pick<ToolCallSignal, 'result'> {
  return { result: toJson(value) };
}
