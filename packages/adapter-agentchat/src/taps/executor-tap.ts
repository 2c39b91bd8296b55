import { call, codeRun, joinBlocks, overlay } from '@teamfuse/adapter-kit';
import type { TeamContext } from '../guard/team-context.ts';
import type { Executor } from './shapes.ts';

/** Guards the runs of a code executor. */
export function executorTap(context: TeamContext, executor: Executor, agent: string): Executor {
  return overlay(executor, {
    executeCodeBlocks: (blocks, options = {}) =>
      call(
        context,
        codeRun({
          agent,
          block: joinBlocks(blocks),
          signal: options.signal,
          resultOf: (result) => result,
        }),
        (signal) => {
          const { turn } = context;
          if (turn !== undefined) turn.hasRun = true;
          return executor.executeCodeBlocks(blocks, { ...options, signal });
        },
      ),
  });
}
