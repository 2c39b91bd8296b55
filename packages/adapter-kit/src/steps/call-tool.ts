import {
  type Outcome,
  readJson,
  signalError,
  type ToolCallSignal,
  toJson,
} from '@teamfuse/core/kit';
import type { GuardContext } from '../context/guard-context.ts';
import { inside, type Scope } from '../context/scope.ts';
import { toolName } from '../signals/tool-name.ts';

/** A call of a tool, whatever way it is made. */
export interface ToolInfo<T> {
  readonly agent: string;
  readonly tool: string;
  readonly args: unknown;
  readonly callId?: string | undefined;
  /** The caller's signal. A call that it ends is cancelled, and not reported. */
  readonly signal?: AbortSignal | undefined;
  /** Reads result or error from the value. @defaultValue a result, as JSON */
  readonly outcomeOf?: (value: T) => ToolOutcome;
}

/** What came of a call of a tool. */
export type ToolOutcome = Pick<ToolCallSignal, 'result' | 'error'>;

/** A call of a tool. */
export interface ToolWork<T> extends ToolInfo<T> {
  /** Calls the tool; `signal` aborts when the caller's signal does, or the run is stopped. */
  readonly work: (signal: AbortSignal | undefined) => Promise<T>;
}

/**
 * Calls a tool: asks, calls, and reports the result or the error.
 *
 * @throws TrippedError when the call is refused, or stopped while it waits.
 */
export function callTool<T>(context: GuardContext, { work, ...info }: ToolWork<T>): Promise<T> {
  const { signal } = info;
  if (!context.isActive) return work(signal);
  const { request, ...step } = toolStep(context, info);
  return context.step(request, () => work(context.abortSignal(signal)), step);
}

/** A call of a tool that was admitted, until {@link ToolUse.end} is called: for frameworks that tell of the end elsewhere. */
export interface ToolUse<T, L> {
  /** The place of everything in the call. */
  readonly scope: Scope<L> | undefined;
  /** Reports the outcome, unless the call was cut off, or has none because it goes on as another one. */
  end(outcome: Outcome<T> | undefined): void;
}

/**
 * Begins a call of a tool at the current place.
 *
 * @throws TrippedError when the call is refused.
 */
export async function beginTool<T, L>(
  context: GuardContext<L>,
  info: ToolInfo<T>,
): Promise<ToolUse<T, L>> {
  const { request, report, signal, ...step } = toolStep(context, info);
  const permit = await context.ask(request, { signal });
  const scope = inside(step.scope, permit);
  return {
    scope,
    end(outcome) {
      if (outcome !== undefined) {
        context.within(scope, () => {
          const isCutOff = 'error' in outcome && context.isCutOff(outcome.error, signal);
          if (!isCutOff && context.isActive) context.observe(report(outcome));
        });
      }
      permit.release();
    },
  };
}

/** What is asked for a call, and how it goes. */
export interface ToolStep<T, L> {
  readonly request: ToolCallSignal;
  readonly scope: Scope<L> | undefined;
  readonly isLeaf: true;
  readonly signal: AbortSignal | undefined;
  readonly report: (outcome: Outcome<T>) => ToolCallSignal;
}

/** A call as a step at the current place. */
export function toolStep<T, L>(
  context: GuardContext<L>,
  { agent, tool, args, callId, signal, outcomeOf = asResult }: ToolInfo<T>,
): ToolStep<T, L> {
  const call = { tool: toolName(tool), args: toJson(args) };
  context.openCalls.reached(context.scope, tool, callId);
  const request = { kind: 'tool-call', ...context.originOf(agent), ...call } as const;
  return {
    request,
    scope: context.scope && { ...context.scope, tool },
    isLeaf: true,
    signal,
    report: (outcome) => {
      const origin = context.originOf(agent);
      const end =
        'value' in outcome ? outcomeOf(outcome.value) : { error: signalError(outcome.error) };
      const durationMs = Math.max(0, origin.at - request.at);
      const id = callId !== undefined && { callId };
      return { kind: 'tool-call', ...origin, ...call, ...id, durationMs, ...end };
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
