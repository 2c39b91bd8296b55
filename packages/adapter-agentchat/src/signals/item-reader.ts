import { type Origin, originOf } from '@teamfuse/adapter-kit';
import type { BaseChatMessage, ChatItem, ToolCallExecutionEvent } from '@teamfuse/agentchat';
import type { Signal } from '@teamfuse/core';
import { BoundedMap, type Pricing } from '@teamfuse/core/kit';
import { ExecutionReader } from './execution-reader.ts';
import { isKind, isSaid } from './item-kinds.ts';
import { NestedReader } from './nested-reader.ts';
import { ToolCallReader } from './tool-call-reader.ts';
import { usageOf } from './usage-signal.ts';

/** What is known about an item apart from its content. */
export interface Circumstances {
  /** The prices of model calls whose usage is only reported on messages. */
  readonly pricing?: Pricing | undefined;
  readonly at: number;
  /** @defaultValue 0 */
  readonly depth?: number;
  /** Whether the item is the task of a run: a message by `user` is input then. */
  readonly isTask?: boolean;
  /** Whether a person wrote the task. @defaultValue false */
  readonly isTaskFromPerson?: boolean;
  /** What taps observe directly, and items must not report again. */
  readonly tapped?: Tapped | undefined;
}

/** What the taps of an agent observe directly. */
export interface Tapped {
  /** Whether the agent's model calls are seen. */
  readonly models: boolean;
  /** Whether the agent's executions are seen. */
  readonly code: boolean;
  /** Whether a message is the report of code that was seen to run. */
  readonly isReport: (message: BaseChatMessage) => boolean;
  /** Whether the call was seen; asked once for each. */
  readonly toolCall: (callId: string, tool: string) => boolean;
  /** Names under which handing off is offered to the agent's model. */
  readonly handoffs: readonly string[];
}

const MAX_ASKING = 256;

/** How the tools for handing off are called unless they are given a name; of several only the first is honoured. */
const HANDOFF_PREFIX = 'transfer_to_';

/** Turns the messages and events of a team into signals. */
export class ItemReader {
  readonly #toolCalls: ToolCallReader = new ToolCallReader();
  readonly #nested: NestedReader = new NestedReader();
  readonly #executions: ExecutionReader = new ExecutionReader();
  /** The agents that wait for a person, with the time at which they asked. */
  readonly #askingSince: BoundedMap<string, number> = new BoundedMap(MAX_ASKING);

  /** The signals of an item, in order; `together` are the items it came with. */
  read(
    item: ChatItem,
    circumstances: Circumstances,
    together: readonly ChatItem[],
  ): readonly Signal[] {
    if (circumstances.isTask === true) this.#nested.forget();
    const depth = this.#nested.depthOf(item.source, circumstances.depth ?? 0);
    const origin = originOf(item.source, circumstances.at, depth);
    const usage = circumstances.tapped?.models
      ? undefined
      : usageOf(item, origin, circumstances.pricing);
    const happened = isSaid(item)
      ? this.#said(item, origin, circumstances)
      : this.#seen(item, origin, together, circumstances);
    return usage === undefined ? happened : [usage, ...happened];
  }

  #said(message: BaseChatMessage, origin: Origin, circumstances: Circumstances): Signal[] {
    const { source } = message;
    const text = message.toText();
    const opened = source === 'user' ? this.#nested.opened(text, origin) : undefined;
    if (opened !== undefined) return [opened];
    this.#nested.forget(source);
    const handoff = isKind(message, 'HandoffMessage') ? message.target : undefined;
    const since = this.#askingSince.get(source);
    this.#askingSince.delete(source);
    if (since !== undefined || (circumstances.isTask === true && source === 'user')) {
      const how =
        since === undefined
          ? !circumstances.isTaskFromPerson && { isAutomatic: true }
          : { waitedMs: Math.max(0, origin.at - since) };
      const input: Signal = { kind: 'human-input', ...origin, text, ...how };
      return handoff === undefined ? [input] : [input, { kind: 'handoff', ...origin, to: handoff }];
    }
    if (handoff !== undefined) return [{ kind: 'handoff', ...origin, to: handoff, text }];
    // The calls themselves were reported already.
    if (isKind(message, 'ToolCallSummaryMessage') && this.#toolCalls.isToldAgain(source)) return [];
    const { tapped } = circumstances;
    if (tapped?.isReport(message)) return [];
    const execution = tapped?.code ? undefined : this.#executions.said(message, origin);
    return [execution ?? { kind: 'message', ...origin, text }];
  }

  #seen(
    item: ChatItem,
    origin: Origin,
    together: readonly ChatItem[],
    { at, tapped }: Circumstances,
  ): Signal[] {
    if (isKind(item, 'ToolCallRequestEvent')) {
      this.#toolCalls.asked(item);
      this.#nested.asked(item);
    }
    if (isKind(item, 'CodeGenerationEvent')) this.#executions.wrote(item);
    if (isKind(item, 'UserInputRequestedEvent')) this.#askingSince.set(item.source, at);
    if (isKind(item, 'ToolCallExecutionEvent')) {
      this.#toolCalls.cameBack(item.source);
      const calls = this.#called(item, origin, handoffsIn(item.source, together), tapped);
      return [...this.#nested.ended(item, origin), ...calls];
    }
    if (isKind(item, 'CodeExecutionEvent') && !tapped?.code) {
      const execution = this.#executions.ran(item, origin);
      return execution === undefined ? [] : [execution];
    }
    if (isKind(item, 'SelectSpeakerEvent')) {
      return item.content.map((chosen) => ({ kind: 'selection', ...origin, chosen }));
    }
    return [];
  }

  /** Calls that hand off are reported as the handoff. */
  #called(
    { source, content }: ToolCallExecutionEvent,
    origin: Origin,
    handoffTexts: readonly string[],
    tapped: Tapped | undefined,
  ): Signal[] {
    const isHandoff = ({ name, content: text }: (typeof content)[number]): boolean =>
      handoffTexts.includes(text) ||
      (handoffTexts.length > 0 && name.startsWith(HANDOFF_PREFIX)) ||
      (tapped?.handoffs.includes(name) ?? false);
    return content
      .filter((result) => !isHandoff(result) && !tapped?.toolCall(result.callId, result.name))
      .map((result) => this.#toolCalls.ended(result, source, origin));
  }
}

/** The texts with which an agent hands off in these items: its handoff tools gave the same. */
function handoffsIn(source: string, items: readonly ChatItem[]): readonly string[] {
  return items
    .filter((item) => isKind(item, 'HandoffMessage') && item.source === source)
    .map((item) => item.toText());
}
