import { tripIn } from '@teamfuse/adapter-kit';
import {
  answeredIn,
  type CallScopes,
  type ModelAnswer,
  type ModelStep,
  type ModelStreamAnswer,
  NO_USAGE,
  type PromptMessage,
  streamedStep,
  wholeStep,
} from '@teamfuse/adapter-kit/language-models';
import type { Breaker } from '@teamfuse/core';
import { BoundedMap, signalError, toJson } from '@teamfuse/core/kit';
import { type CallOptions, CallRuns, callOptions } from './guard-calls.ts';

interface Call {
  readonly callId: string;
  readonly functionId?: string | undefined;
}

interface ToolCall extends Call {
  readonly toolCall?: {
    readonly toolName: string;
    readonly toolCallId: string;
    readonly input: unknown;
  };
}

interface ModelCall extends Call {
  readonly modelId?: string | undefined;
  readonly messages?: readonly object[] | undefined;
  readonly maxOutputTokens?: number | undefined;
}

/** An integration for `registerTelemetry()` of `ai` 7. */
export interface BreakerTelemetry {
  onStart(event: Call & { readonly operationId?: string }): void;
  onEnd(event: Call): void;
  onAbort(event: Call): void;
  onError(event: unknown): void;
  onToolExecutionEnd(event: ToolCall & { readonly toolOutput: object }): void;
  executeLanguageModelCall<T>(call: ModelCall & { execute(): PromiseLike<T> }): Promise<T>;
  executeTool<T>(call: ToolCall & { execute(): PromiseLike<T> }): Promise<T>;
  /**
   * Whether a call is guarded. It is not if it turns telemetry off, or has integrations of its own. `call` makes it with the given
   * model, which answers at once: `(model) => generateText({ model, prompt: '', telemetry })`.
   */
  covers(call: (model: ProbeModel) => PromiseLike<unknown>): Promise<boolean>;
}

/** A language model that answers at once. */
export interface ProbeModel {
  readonly specificationVersion: 'v4';
  readonly provider: string;
  readonly modelId: string;
  readonly supportedUrls: Record<string, RegExp[]>;
  doGenerate(): Promise<{
    content: never[];
    warnings: never[];
    finishReason: ProbeEnd['finishReason'];
    usage: ProbeEnd['usage'];
  }>;
  doStream(): Promise<{ stream: ReadableStream<ProbeEnd> }>;
}

interface ProbeEnd {
  readonly type: 'finish';
  readonly finishReason: { unified: 'stop'; raw: undefined };
  readonly usage: typeof NO_USAGE;
}

const PROBE = 'teamfuse-self-test';
/** Nobody tells of the end of a stream whose reader has left. */
const MAX_RUNS = 1_000;
/** The names of errors that a fetch, and a server whose client has left, abort with. */
const ABORTS: ReadonlySet<unknown> = new Set(['AbortError', 'ResponseAborted']);
const isAborted = (error: unknown): boolean => ABORTS.has(Object(error).name);

/**
 * Guards every call of a process: `registerTelemetry(breakerTelemetry(breaker))`. Each call is a run. Do not guard the same models and
 * agents once more with this breaker.
 */
export function breakerTelemetry(breaker: Breaker, options: CallOptions = {}): BreakerTelemetry {
  const checked = callOptions(options);
  const { agent } = checked;
  const runs = CallRuns.of('the telemetry', breaker, checked);
  const { context } = runs;
  const streams = new BoundedMap<string, true>(MAX_RUNS);
  /** Reports of tools that were aborted, by themselves if their run goes on. */
  const aborted = new BoundedMap<string, (() => void)[]>(MAX_RUNS);
  let isSeen = false;
  const callerOf = ({ functionId = agent }: Call) =>
    runs.callerOf(functionId === undefined ? {} : { agent: functionId });
  const placeOf = (call: Call) => runs.ofModel(call.callId, callerOf(call).agent);
  // A call that is made again has the same id, and its run goes on.
  const scopes: CallScopes = {
    ofModel: (key, name) => runs.ofModel(key, name),
    ofTool: (callId) => runs.ofTool(callId),
    answered: (key, callIds) => runs.answered(key, callIds),
  };
  const ended = (event: unknown): void => {
    const { callId } = event as Call;
    streams.delete(callId);
    aborted.delete(callId);
    runs.end(callId);
  };
  return {
    onStart({ callId, operationId }) {
      if (operationId === 'ai.streamText') streams.set(callId, true);
    },
    onEnd: ended,
    onAbort: ended,
    onError: ended,
    onToolExecutionEnd(call) {
      const { toolCall } = call;
      if (toolCall === undefined || !context.isActive) return;
      const { toolName: tool, toolCallId: callId, input } = toolCall;
      const { error, output } = call.toolOutput as { error?: unknown; output?: unknown };
      if (tripIn(error) !== undefined) return;
      const outcome =
        error === undefined ? { result: toJson(output) } : { error: signalError(error) };
      const report = (): void =>
        context.within(placeOf(call), () => {
          const origin = context.originOf(callerOf(call).agent);
          const args = toJson(input);
          context.observe({ kind: 'tool-call', ...origin, tool, args, callId, ...outcome });
        });
      if (!isAborted(error)) report();
      else aborted.set(call.callId, [...(aborted.get(call.callId) ?? []), report]);
    },
    executeLanguageModelCall<T>(call: ModelCall & { execute(): PromiseLike<T> }) {
      const { callId, modelId = '', messages = [], maxOutputTokens, execute } = call;
      if (modelId === PROBE) {
        isSeen = true;
        return Promise.resolve(execute());
      }
      const prompt = messages.map((message) => ({ content: JSON.stringify(message) }));
      const own = { model: modelId, prompt, maxOutputTokens, canBeLast: false };
      const open = async (): Promise<T> => {
        const answer = await execute();
        for (const report of aborted.get(callId) ?? []) report();
        aborted.delete(callId);
        return answer;
      };
      const step = { ...own, isCancelled: isAborted, open };
      const told = (): void => {
        answeredIn(context, messages as readonly PromptMessage[]);
        runs.onPrompt(messages as readonly PromptMessage[]);
      };
      const ask = streams.has(callId) ? streamedStep : wholeStep;
      const stepOf = () => {
        if (context.scope !== undefined) context.attempt('observe', told);
        return step as unknown as ModelStep<ModelAnswer & ModelStreamAnswer>;
      };
      return ask({ ...callerOf(call), scopes }, callId, stepOf) as Promise<T>;
    },
    executeTool<T>(call: ToolCall & { execute(): PromiseLike<T> }) {
      const { toolCall, execute } = call;
      if (!context.isActive || toolCall === undefined) return Promise.resolve(execute());
      const scope = placeOf(call);
      const end = scope?.run.beginStep?.();
      const used = context.within(scope, () => {
        const origin = context.originOf(callerOf(call).agent);
        const { toolName: tool, toolCallId, input } = toolCall;
        context.openCalls.reached(context.scope, tool, toolCallId);
        const request = { kind: 'tool-call', ...origin, tool, args: toJson(input) } as const;
        return context.step<T>(request, async () => execute(), { isLeaf: true });
      });
      return used.finally(end);
    },
    async covers(call) {
      isSeen = false;
      await call(probeModel());
      return isSeen;
    },
  };
}

function probeModel(): ProbeModel {
  const finishReason = { unified: 'stop' as const, raw: undefined };
  const end = { finishReason, usage: NO_USAGE };
  return {
    specificationVersion: 'v4' as const,
    provider: 'teamfuse',
    modelId: PROBE,
    supportedUrls: {},
    doGenerate: async () => ({ content: [], warnings: [], ...end }),
    doStream: async () => {
      const parts = [{ type: 'finish' as const, ...end }];
      return { stream: ReadableStream.from(parts) as ReadableStream<ProbeEnd> };
    },
  };
}
