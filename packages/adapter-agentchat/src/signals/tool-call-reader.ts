import { type Origin, textOutcome } from '@teamfuse/adapter-kit';
import type { ToolCallExecutionEvent, ToolCallRequestEvent } from '@teamfuse/agentchat';
import { BoundedMap, readJson, type ToolCallSignal } from '@teamfuse/core/kit';

/** Calls asked for and not yet answered, over all agents; a turn that fails leaves some behind. */
const MAX_OPEN_CALLS = 1024;

type FunctionResult = ToolCallExecutionEvent['content'][number];

/** Joins the results of tools with the arguments of their calls. */
export class ToolCallReader {
  readonly #args: BoundedMap<string, string> = new BoundedMap(MAX_OPEN_CALLS);
  /** Who had results of calls that were not summed up yet. */
  readonly #unsummed: BoundedMap<string, true> = new BoundedMap(MAX_OPEN_CALLS);

  /** Notes the tools that a model asked for. */
  asked({ source, content }: ToolCallRequestEvent): void {
    for (const { id, arguments: args } of content) this.#args.set(keyOf(source, id), args);
  }

  /** Notes that an agent's calls have returned. */
  cameBack(source: string): void {
    this.#unsummed.set(source, true);
  }

  /** Whether a summary by this agent only repeats the results of its calls. */
  isToldAgain(source: string): boolean {
    return this.#unsummed.delete(source);
  }

  /** The signal of one call that has ended. */
  ended(result: FunctionResult, source: string, origin: Origin): ToolCallSignal {
    const key = keyOf(source, result.callId);
    const args = this.#args.get(key);
    this.#args.delete(key);
    return {
      kind: 'tool-call',
      ...origin,
      tool: result.name || 'unknown',
      args: args === undefined ? null : readJson(args),
      callId: result.callId,
      ...textOutcome(result.content, { isError: result.isError === true }),
    };
  }
}

function keyOf(source: string, callId: string): string {
  return `${source}\n${callId}`;
}
