import {
  type Outcome,
  readJson,
  signalError,
  type ToolCallSignal,
  toJson,
} from '@teamfuse/core/kit';
import { toolName } from '../signals/tool-name.ts';
import type { StepKind } from './step.ts';

/** A call of a tool. */
export interface ToolInfo<T> {
  readonly agent: string;
  readonly tool: string;
  readonly args: unknown;
  readonly callId?: string | undefined;
  /** The caller's signal. A call that it ends is cancelled, and not reported. */
  readonly signal?: AbortSignal | undefined;
  /** What the tool gives if the call alone is refused: the text says why. @defaultValue throws a TrippedError */
  readonly refusedAs?: ((text: string) => T) | undefined;
  /** Reads result or error from the value. @defaultValue a result, as JSON */
  readonly outcomeOf?: (value: T) => ToolOutcome;
  /** Whether an error is none, but how the call leaves to go on later, such as once a person has answered: it is not reported. @defaultValue never */
  readonly isPause?: ((error: unknown) => boolean) | undefined;
}

/** What came of a call of a tool. */
export type ToolOutcome = Pick<ToolCallSignal, 'result' | 'error'>;

/** A call of a tool, whole or streamed: it reports the result or the error. One that its reader leaves is not reported, nor one that was cut off, whatever a framework makes of its error. */
export function toolCall<R, L, T = R>(info: ToolInfo<R>): StepKind<R, L, T> {
  const { agent, tool, args, callId, signal, refusedAs, isPause, outcomeOf = asResult } = info;
  return {
    signal,
    at(context) {
      const made = { tool: toolName(tool), args: toJson(args) };
      context.openCalls.reached(context.scope, tool, callId);
      const request = { kind: 'tool-call', ...context.originOf(agent), ...made } as const;
      let begunAt = request.at;
      const signalOf = (outcome: Outcome<R>): ToolCallSignal | undefined => {
        if ('error' in outcome && isPause?.(outcome.error)) return undefined;
        const origin = context.originOf(agent);
        const end =
          'value' in outcome ? outcomeOf(outcome.value) : { error: signalError(outcome.error) };
        if (end.error !== undefined && context.isCutOff(undefined, signal)) return undefined;
        const durationMs = Math.max(0, origin.at - begunAt);
        const id = callId !== undefined && { callId };
        return { kind: 'tool-call', ...origin, ...made, ...id, durationMs, ...end };
      };
      return {
        request,
        scope: context.scope && { ...context.scope, tool },
        isLeaf: true,
        refusedAs,
        signal,
        begin: () => {
          begunAt = context.breaker.now();
        },
        report: (outcome) => outcome && signalOf(outcome),
      };
    },
  };
}

function asResult(value: unknown): ToolOutcome {
  return { result: toJson(value) };
}

/** What came of a call that gives a text: the JSON in it, or the text. */
export function textOutcome(text: string, { isError }: { readonly isError: boolean }): ToolOutcome {
  return isError ? { error: { message: text } } : { result: readJson(text) };
}
