import { signalError } from '@teamfuse/core/kit';
import { type CodeBlock, executionSignal } from '../signals/execution.ts';
import type { StepKind } from './step.ts';

/** A run of code. */
export interface CodeInfo<T> {
  readonly agent: string;
  readonly block: CodeBlock;
  /** The caller's signal. A run that it ends is cancelled, and not reported. */
  readonly signal?: AbortSignal | undefined;
  readonly resultOf: (value: T) => { readonly exitCode: number; readonly output: string };
}

/** A run of code: it reports exit code and output. */
export function codeRun<T, L>(info: CodeInfo<T>): StepKind<T, L> {
  const { agent, block, signal, resultOf } = info;
  return {
    signal,
    at(context) {
      let begunAt = context.breaker.now();
      return {
        request: { kind: 'execution', ...context.originOf(agent), ...block },
        isLeaf: true,
        signal,
        begin: () => {
          begunAt = context.breaker.now();
        },
        report: (outcome) => {
          // An executor that was aborted has a result, too.
          if (outcome === undefined || context.isCutOff(undefined, signal)) return undefined;
          const origin = context.originOf(agent);
          // An executor that fails itself has no exit code, like a process that was killed.
          const result =
            'value' in outcome
              ? resultOf(outcome.value)
              : { exitCode: -1, output: signalError(outcome.error).message };
          const execution = executionSignal(origin, block, result);
          return execution && { ...execution, durationMs: Math.max(0, origin.at - begunAt) };
        },
      };
    },
  };
}
