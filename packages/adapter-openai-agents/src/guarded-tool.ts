import { call, type ToolOutcome, toolCall, tripIn } from '@teamfuse/adapter-kit';
import { readJson, toJson } from '@teamfuse/core/kit';
import type { Context, Progress } from './place.ts';
import type { FunctionTool, ToolDetails } from './shapes.ts';

type Invoke = FunctionTool['invoke'];

/** How a tool is invoked inside of runs: refused before its effect, or reported with what came of it. */
export function guardedInvoke(context: Context, tool: FunctionTool): Invoke {
  const original: Invoke = tool.invoke;
  return async (runContext, input, details) => {
    const { local } = context.scope ?? {};
    if (!context.isActive || local === undefined) {
      return original.call(tool, runContext, input, details);
    }
    const { signal } = details ?? {};
    try {
      const step = toolCall<unknown, Progress>({
        agent: local.agent,
        tool: tool.name,
        args: readJson(input || '{}'),
        callId: details?.toolCall?.callId,
        signal,
        refusedAs: (text) => text,
        outcomeOf: (value) => outcomeOf(value, tool, input),
      });
      return await call(context, step, (both) =>
        original.call(tool, runContext, input, withSignal(details, both)),
      );
    } catch (error) {
      const trip = signal?.aborted ? undefined : tripIn(error);
      // The run ends before its next model call; an error would lose what the other tools of the answer have done.
      if (trip === undefined || tool.outputSchema !== undefined) throw error;
      return `teamfuse: ${trip.reason}`;
    }
  };
}

/** The SDK keeps things about a call in members that a spread would lose. */
function withSignal(
  details: ToolDetails | undefined,
  signal: AbortSignal | undefined,
): ToolDetails | undefined {
  if (signal === undefined || signal === details?.signal) return details;
  const members = { ...Object.getOwnPropertyDescriptors(details ?? {}) };
  const own = { value: signal, enumerable: true, configurable: true, writable: true };
  return Object.defineProperties({}, { ...members, signal: own });
}

/** What the model is told of an error unless the tool says otherwise. Versions before 0.19 add the error. */
const FAILED =
  /^An error occurred while running the tool\. Please try again\.(?: Error: (?:[A-Z]\w*: )?(.*))?$/s;

function outcomeOf(value: unknown, { name }: FunctionTool, input: string): ToolOutcome {
  if (typeof value !== 'string') return { result: toJson(value) };
  const failed = FAILED.exec(value);
  if (failed === null) return { result: readJson(value) };
  // Errors that are hidden are not the same error each time.
  return { error: { message: failed[1] ?? `${name} failed with ${input}` } };
}
