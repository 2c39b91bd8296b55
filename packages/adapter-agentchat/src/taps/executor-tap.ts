import { executionSignal, joinBlocks, overlay } from '@teamfuse/adapter-kit';
import type { TeamContext } from '../guard/team-context.ts';
import { withSignal } from './model-tap.ts';
import type { Executor } from './shapes.ts';

/** Guards the runs of a code executor. */
export function executorTap(context: TeamContext, executor: Executor, agent: string): Executor {
  return overlay(executor, {
    async executeCodeBlocks(blocks, options = {}) {
      if (!context.isActive) return executor.executeCodeBlocks(blocks, options);
      const block = joinBlocks(blocks);
      const startedAt = context.breaker.now();
      return context.step(
        { kind: 'execution', ...context.originOf(agent), ...block },
        () => {
          const { turn } = context;
          if (turn !== undefined) turn.hasRun = true;
          return executor.executeCodeBlocks(blocks, withSignal(context, options));
        },
        {
          isLeaf: true,
          report: (outcome) => {
            // An executor that was aborted has a result, too.
            if (context.isCutOff(undefined, options.signal)) return undefined;
            const origin = context.originOf(agent);
            const durationMs = Math.max(0, origin.at - startedAt);
            // An executor that fails itself has no exit code, like a process that was killed.
            const result =
              'value' in outcome
                ? outcome.value
                : { exitCode: -1, output: messageOf(outcome.error) };
            const signal = executionSignal(origin, block, result);
            return signal && { ...signal, durationMs };
          },
        },
      );
    },
  });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
