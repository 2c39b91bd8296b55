import { type ToolCallSignal, toJson } from '@teamfuse/core';
import type { Scope } from '../guard/scope.ts';
import { tripIn } from '../guard/trip-in.ts';
import type { Watch } from '../guard/watch.ts';
import { outcomeOf } from '../signals/tool-call-reader.ts';
import { signalError } from './signal-error.ts';

/** What is to be called. */
export interface Called {
  readonly agent: string;
  readonly tool: string;
  readonly args: unknown;
  readonly options: {
    readonly callId?: string | undefined;
    readonly signal?: AbortSignal | undefined;
  };
}

/** One call of a tool, from asking for leave to what came of it. */
export class ToolCall {
  /** Where the tool runs. */
  readonly scope: Scope | undefined;
  readonly #watch: Watch;
  readonly #called: Called;
  readonly #startedAt: number;

  private constructor(watch: Watch, called: Called) {
    this.scope = watch.scope && { ...watch.scope, tool: called.tool };
    this.#watch = watch;
    this.#called = called;
    this.#startedAt = watch.breaker.now();
  }

  /** @throws TrippedError when the call is refused. */
  static async begin(watch: Watch, called: Called): Promise<ToolCall> {
    const { agent, tool, args, options } = called;
    await watch.gatekeeper.ask({
      kind: 'tool-call',
      ...watch.originOf(agent),
      tool,
      args: toJson(args),
    });
    watch.scope?.turn?.calls.add(options.callId ?? tool);
    return new ToolCall(watch, called);
  }

  /** The tool has given something, or said in its own way that it failed. */
  ended(result: { readonly content: string; readonly isError: boolean }): void {
    this.#tell(outcomeOf(result));
  }

  /** The call was broken off by an error: the tool's own, unless it was stopped from outside. */
  failed(error: unknown): void {
    if (tripIn(error) !== undefined || this.#called.options.signal?.aborted === true) return;
    this.#tell({ error: signalError(error) });
  }

  #tell(outcome: Pick<ToolCallSignal, 'result' | 'error'>): void {
    const { agent, tool, args, options } = this.#called;
    const { observer } = this.#watch;
    const origin = this.#watch.originOf(agent);
    observer.signal({
      kind: 'tool-call',
      ...origin,
      tool,
      args: toJson(args),
      ...(options.callId !== undefined && { callId: options.callId }),
      durationMs: Math.max(0, origin.at - this.#startedAt),
      ...outcome,
    });
  }
}
