import { BoundedMap, type Origin } from '@teamfuse/adapter-kit';
import type { ToolCallExecutionEvent, ToolCallRequestEvent } from '@teamfuse/agentchat';
import type { NestedEndSignal, NestedStartSignal } from '@teamfuse/core';

const MAX_AGENTS = 256;
/** Chats under way at the same time; a turn that fails leaves some behind. */
const MAX_CHATS = 64;

/** A call that may open a chat. */
interface Asked {
  readonly callId: string;
  readonly tool: string;
  readonly task: string;
}

/** A chat a tool has opened. */
interface OpenChat extends Asked {
  readonly caller: string;
  readonly chatId: string;
  readonly depth: number;
  readonly path: readonly string[];
}

/**
 * Finds the chats that tools open among the items of the agent that called them.
 *
 * A tool that puts somebody to work shows the task as a message of `user`, between the call and its result.
 */
export class NestedReader {
  readonly #asked: BoundedMap<string, readonly Asked[]> = new BoundedMap(MAX_AGENTS);
  #open: readonly OpenChat[] = [];
  #lastId = 0;

  /** How many chats deep somebody speaks; `base` is where the items come from. */
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

  /** Takes in which tools a model asked for. */
  asked({ source, content }: ToolCallRequestEvent): void {
    const asked = content.flatMap(({ id, name, arguments: args }) => {
      const task = taskIn(args);
      return task === undefined ? [] : [{ callId: id, tool: name, task }];
    });
    if (asked.length > 0) this.#asked.set(source, asked);
  }

  /** The signal of the chat that begins with a message, if one does. */
  opened(text: string, { at, depth = 0 }: Origin): NestedStartSignal | undefined {
    for (const [caller, asked] of this.#asked.entries()) {
      const call = asked.find(({ task }) => task === text);
      if (call === undefined) continue;
      this.#asked.set(
        caller,
        asked.filter((other) => other !== call),
      );
      return this.#begin(call, caller, at, depth);
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
    { tool, task, callId }: Asked,
    caller: string,
    at: number,
    base: number,
  ): NestedStartSignal {
    this.#lastId += 1;
    const around = this.#open.findLast((chat) => chat.caller !== caller);
    const depth = (around?.depth ?? base) + 1;
    const path = [...(around?.path ?? [caller]), tool];
    const chat = { tool, task, callId, caller, depth, path, chatId: `${tool}#${this.#lastId}` };
    this.#open = [...this.#open, chat].slice(-MAX_CHATS);
    const place = { at, agent: caller, chatId: chat.chatId, depth, path };
    return { kind: 'nested-start', ...place, trigger: `tool:${tool}`, text: task };
  }
}

/** The task in the arguments of a call, where there is one. */
function taskIn(args: string): string | undefined {
  try {
    const { task } = Object(JSON.parse(args)) as { task?: unknown };
    return typeof task === 'string' ? task : undefined;
  } catch {
    return undefined;
  }
}
