import type { Watch } from '../guard/watch.ts';
import { joinBlocks } from '../signals/code-block.ts';
import { executionSignal } from '../signals/execution-signal.ts';
import { overlay } from './overlay.ts';
import type { Executor } from './shapes.ts';

/** A code executor that asks before it runs anything and tells what came of it. */
export function executorTap(watch: Watch, executor: Executor, agent: string): Executor {
  return overlay(executor, {
    async executeCodeBlocks(blocks, options = {}) {
      if (!watch.isActive) return executor.executeCodeBlocks(blocks, options);
      const block = joinBlocks(blocks);
      await watch.gatekeeper.ask({ kind: 'execution', ...watch.originOf(agent), ...block });
      const { turn } = watch.scope ?? {};
      if (turn !== undefined) turn.hasRun = true;
      const startedAt = watch.breaker.now();
      const tell = (exitCode: number, output: string): void => {
        if (options.signal?.aborted === true) return;
        const origin = watch.originOf(agent);
        const durationMs = Math.max(0, origin.at - startedAt);
        const signal = executionSignal(origin, block, { exitCode, output });
        if (signal !== undefined) watch.observer.signal({ ...signal, durationMs });
      };
      try {
        const result = await executor.executeCodeBlocks(blocks, options);
        tell(result.exitCode, result.output);
        return result;
      } catch (error) {
        // An executor that fails itself has no exit code to give: like a process that was killed.
        tell(-1, error instanceof Error ? error.message : String(error));
        throw error;
      }
    },
  });
}
