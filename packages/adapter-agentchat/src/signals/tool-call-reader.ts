import { BoundedMap, type Origin, textOutcome } from '@teamfuse/adapter-kit';
import type { ToolCallExecutionEvent, ToolCallRequestEvent } from '@teamfuse/agentchat';
import { readJson, type ToolCallSignal } from '@teamfuse/core';

/** Calls asked for and not yet answered, over all agents; a turn that fails leaves some behind. */
const MAX_OPEN_CALLS = 1024;

type FunctionResult = ToolCallExecutionEvent['content'][number];

/** Joins what tools gave with what they were called with. */
export class ToolCallReader {
  readonly #args: BoundedMap<string, string> = new BoundedMap(MAX_OPEN_CALLS);
  /** Who had results of calls that were not summed up yet. */
  readonly #unsummed: BoundedMap<string, true> = new BoundedMap(MAX_OPEN_CALLS);

  /** Takes in which tools a model asked for. */
  asked({ source, content }: ToolCallRequestEvent): void {
    for (const { id, arguments: args } of content) this.#args.set(keyOf(source, id), args);
  }

  /** Takes note that an agent's calls have come back. */
  cameBack(source: string): void {
    this.#unsummed.set(source, true);
  }

  /** Whether a summary by this agent only says again what its calls gave. */
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
