import type { Workbench } from '@teamfuse/agentchat';
import type { Watch } from '../guard/watch.ts';
import { overlay } from './overlay.ts';
import { type Called, ToolCall } from './tool-call.ts';

/** A workbench that asks before each call and tells what came of it. */
export function workbenchTap(watch: Watch, workbench: Workbench, agent: string): Workbench {
  const { callToolStream } = workbench;
  const begin = (tool: string, args: unknown, options: Called['options']): Promise<ToolCall> =>
    ToolCall.begin(watch, { agent, tool, args, options });

  return overlay<Workbench>(workbench, {
    async callTool(name, args, options = {}) {
      if (!watch.isActive) return workbench.callTool(name, args, options);
      const call = await begin(name, args, options);
      try {
        const result = await watch.within(call.scope, () =>
          workbench.callTool(name, args, options),
        );
        call.ended(result);
        return result;
      } catch (error) {
        call.failed(error);
        throw error;
      }
    },
    ...(callToolStream && {
      async *callToolStream(name, args, options = {}) {
        const open = (): ReturnType<typeof callToolStream> =>
          callToolStream.call(workbench, name, args, options);
        if (!watch.isActive) return yield* open();
        const call = await begin(name, args, options);
        try {
          const result = yield* watch.stream(call.scope, open);
          call.ended(result);
          return result;
        } catch (error) {
          call.failed(error);
          throw error;
        }
      },
    }),
  });
}
