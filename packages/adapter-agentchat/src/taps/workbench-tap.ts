import { overlay, type Scope, signalError } from '@teamfuse/adapter-kit';
import type { Workbench } from '@teamfuse/agentchat';
import { type ToolCallSignal, toJson } from '@teamfuse/core';
import type { Place } from '../guard/place.ts';
import type { TeamContext } from '../guard/team-context.ts';
import { outcomeOf } from '../signals/tool-call-reader.ts';

interface CallOptions {
  readonly callId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

interface ToolOutcome {
  readonly content: string;
  readonly isError: boolean;
}

/** Guards the tool calls of a workbench. */
export function workbenchTap(context: TeamContext, workbench: Workbench, agent: string): Workbench {
  const { callToolStream } = workbench;

  /** Asks for a call, and returns how to report its outcome. */
  const begin = async (
    tool: string,
    args: unknown,
    { callId, signal }: CallOptions,
  ): Promise<(outcome: { value: ToolOutcome } | { error: unknown }) => void> => {
    const call = { tool, args: toJson(args) };
    const permit = await context.admit({ kind: 'tool-call', ...context.originOf(agent), ...call });
    context.turn?.calls.add(callId ?? tool);
    const startedAt = context.breaker.now();
    return (outcome) => {
      permit.release();
      const isError = 'error' in outcome;
      if (isError && context.isCutOff(outcome.error, signal)) return;
      const origin = context.originOf(agent);
      const end: Pick<ToolCallSignal, 'result' | 'error'> = isError
        ? { error: signalError(outcome.error) }
        : outcomeOf(outcome.value);
      const durationMs = Math.max(0, origin.at - startedAt);
      const id = callId !== undefined && { callId };
      context.observe({ kind: 'tool-call', ...origin, ...call, ...id, durationMs, ...end });
    };
  };

  const inside = (tool: string): Scope<Place> | undefined =>
    context.scope && context.localScope(context.scope, { tool });

  return overlay<Workbench>(workbench, {
    async callTool(name, args, options = {}) {
      if (!context.isActive) return workbench.callTool(name, args, options);
      const end = await begin(name, args, options);
      try {
        const signal = context.abortSignal(options.signal);
        const given = signal === undefined ? options : { ...options, signal };
        const value = await context.untilStopped(
          context.within(inside(name), () => workbench.callTool(name, args, given)),
        );
        end({ value });
        return value;
      } catch (error) {
        end({ error });
        throw error;
      }
    },
    ...(callToolStream && {
      async *callToolStream(name, args, options = {}) {
        const open = (): ReturnType<typeof callToolStream> =>
          callToolStream.call(workbench, name, args, options);
        if (!context.isActive) return yield* open();
        const end = await begin(name, args, options);
        try {
          const value = yield* context.leafStream(inside(name), open);
          end({ value });
          return value;
        } catch (error) {
          end({ error });
          throw error;
        }
      },
    }),
  });
}
