import { signalError } from '@teamfuse/core/kit';
import type { GuardContext } from '../context/guard-context.ts';
import { type CodeBlock, executionSignal } from '../signals/execution.ts';

/** A run of code. */
export interface CodeWork<T> {
  readonly agent: string;
  readonly block: CodeBlock;
  /** The caller's signal. A run that it ends is cancelled, and not reported. */
  readonly signal?: AbortSignal | undefined;
  /** Runs the code; `signal` aborts when the caller's signal does, or the run is stopped. */
  readonly work: (signal: AbortSignal | undefined) => Promise<T>;
  readonly resultOf: (value: T) => { readonly exitCode: number; readonly output: string };
}

/**
 * Runs code: asks, runs, and reports exit code and output.
 *
 * @throws TrippedError when the run is refused, or stopped while it waits.
 */
export function runCode<T>(
  context: GuardContext,
  { agent, block, signal, work, resultOf }: CodeWork<T>,
): Promise<T> {
  if (!context.isActive) return work(signal);
  const startedAt = context.breaker.now();
  return context.step(
    { kind: 'execution', ...context.originOf(agent), ...block },
    () => work(context.abortSignal(signal)),
    {
      isLeaf: true,
      signal,
      report: (outcome) => {
        // An executor that was aborted has a result, too.
        if (context.isCutOff(undefined, signal)) return undefined;
        const origin = context.originOf(agent);
        // An executor that fails itself has no exit code, like a process that was killed.
        const result =
          'value' in outcome
            ? resultOf(outcome.value)
            : { exitCode: -1, output: signalError(outcome.error).message };
        const execution = executionSignal(origin, block, result);
        return execution && { ...execution, durationMs: Math.max(0, origin.at - startedAt) };
      },
    },
  );
}
