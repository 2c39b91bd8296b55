import { call, overlay, stream, type ToolInfo, textOutcome, toolCall } from '@teamfuse/adapter-kit';
import type { Workbench } from '@teamfuse/agentchat';
import type { TeamContext } from '../guard/team-context.ts';

type Arguments = Parameters<Workbench['callTool']>;
type Options = NonNullable<Arguments[2]>;
type Result = Awaited<ReturnType<Workbench['callTool']>>;

/** Guards the tool calls of a workbench. */
export function workbenchTap(context: TeamContext, workbench: Workbench, agent: string): Workbench {
  const { callToolStream } = workbench;
  const infoOf = (...[tool, args, { callId, signal } = {}]: Arguments): ToolInfo<Result> => {
    return {
      agent,
      tool,
      args,
      callId,
      signal,
      outcomeOf: (r) => textOutcome(r.content, r),
      refusedAs: (content) => {
        context.turn?.calls.add(callId ?? tool);
        return { name: tool, content, isError: true };
      },
    };
  };
  /** The options to call with. The call is reported here, and not once more from the event of its result. */
  const begun = (tool: string, options: Options, signal: AbortSignal | undefined): Options => {
    context.turn?.calls.add(options.callId ?? tool);
    return { ...options, signal };
  };
  return overlay<Workbench>(workbench, {
    callTool: (name, args, options = {}) =>
      call(context, toolCall(infoOf(name, args, options)), async (signal) =>
        workbench.callTool(name, args, begun(name, options, signal)),
      ),
    ...(callToolStream && {
      callToolStream: (name, args, options = {}) =>
        stream(context, toolCall(infoOf(name, args, options)), (signal) =>
          callToolStream.call(workbench, name, args, begun(name, options, signal)),
        ),
    }),
  });
}
