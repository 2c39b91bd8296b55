import type { Origin } from '@teamfuse/adapter-kit';
import type { ToolCallExecutionEvent, ToolCallRequestEvent } from '@teamfuse/agentchat';
import {
  BoundedMap,
  type NestedEndSignal,
  type NestedStartSignal,
  readJson,
} from '@teamfuse/core/kit';

const MAX_AGENTS = 256;
/** Chats under way at the same time; a turn that fails leaves some behind. */
const MAX_CHATS = 64;

/** A call that may open a chat. */
interface Asked {
  /** The id of the event in which the model asked. */
  readonly request: string;
  readonly callId: string;
  readonly tool: string;
  /** The task among its arguments, where there is one. */
  readonly task: unknown;
}

/** A chat a tool has opened. */
interface OpenChat {
  readonly request: string;
  readonly caller: string;
  readonly callId: string;
  readonly chatId: string;
  readonly depth: number;
  readonly path: readonly string[];
}

/**
 * Finds the chats that tools open among the items of the agent that called them.
 *
 * A tool that runs an agent or team shows the task as a message of `user`, between the call and its result.
 */
export class NestedReader {
  readonly #asked: BoundedMap<string, readonly Asked[]> = new BoundedMap(MAX_AGENTS);
  #open: readonly OpenChat[] = [];
  #lastId = 0;

  /** The depth of nested chats at which a source speaks; `base` is the depth of the items. */
  depthOf(source: string, base: number): number {
    const own = this.#open.findLast(({ caller }) => caller === source);
    if (own !== undefined) return own.depth - 1;
    return this.#open.at(-1)?.depth ?? base;
  }

  /** Forgets the chats of an agent that has answered, or of all where a run begins. */
  forget(source?: string): void {
    this.#open = this.#open.filter(({ caller }) => source !== undefined && caller !== source);
    if (source === undefined) this.#asked.clear();
  }

  /** Notes the tools that a model asked for. */
  asked({ id: request, source, content }: ToolCallRequestEvent): void {
    const asked = content.map(({ id, name, arguments: args }) => {
      return { request, callId: id, tool: name, task: Object(readJson(args)).task };
    });
    this.#asked.set(source, asked);
  }

  /** The signal of the chat that begins with a message, if one does. */
  opened(text: string, origin: Origin): NestedStartSignal | undefined {
    for (const [caller, asked] of this.#asked.entries()) {
      const call = asked.find(({ task }) => task === text);
      if (call === undefined) continue;
      this.#asked.set(
        caller,
        asked.filter((other) => other !== call),
      );
      return this.#begin(call, caller, text, origin);
    }
    return undefined;
  }

  /** The signals of the chats that end with these results. */
  ended({ source, content }: ToolCallExecutionEvent, { at }: Origin): NestedEndSignal[] {
    this.#asked.delete(source);
    const ended = this.#open.filter(({ caller }) => caller === source);
    this.#open = this.#open.filter(({ caller }) => caller !== source);
    return ended.map(({ caller, callId, chatId, depth, path }) => {
      const text = content.find((result) => result.callId === callId)?.content;
      const place = { at, agent: caller, chatId, depth, path };
      return { kind: 'nested-end', ...place, ...(text !== undefined && { text }) };
    });
  }

  #begin(
    { request, tool, callId }: Asked,
    caller: string,
    text: string,
    { at, depth: base = 0 }: Origin,
  ): NestedStartSignal {
    this.#lastId += 1;
    // Chats of one request are siblings. An agent that asks again meanwhile is inside the chat it has opened.
    const beside = this.#open.findLast((chat) => chat.request === request);
    const depth = beside?.depth ?? base + 1;
    const around = beside?.path.slice(0, -1) ?? this.#open.at(-1)?.path ?? [caller];
    const place = { chatId: `${tool}#${this.#lastId}`, depth, path: [...around, tool] };
    this.#open = [...this.#open, { request, caller, callId, ...place }].slice(-MAX_CHATS);
    return { kind: 'nested-start', at, agent: caller, ...place, trigger: `tool:${tool}`, text };
  }
}
