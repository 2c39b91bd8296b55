import type {
  BaseChatMessage,
  ChatItem,
  CodeExecutionEvent,
  CodeGenerationEvent,
  HandoffMessage,
  SelectSpeakerEvent,
  ToolCallExecutionEvent,
  ToolCallRequestEvent,
  ToolCallSummaryMessage,
  UserInputRequestedEvent,
} from '@teamfuse/agentchat';

/** The items that are more than a text to read, by the `type` they carry. */
interface ItemKinds {
  readonly CodeExecutionEvent: CodeExecutionEvent;
  readonly CodeGenerationEvent: CodeGenerationEvent;
  readonly HandoffMessage: HandoffMessage;
  readonly SelectSpeakerEvent: SelectSpeakerEvent;
  readonly ToolCallExecutionEvent: ToolCallExecutionEvent;
  readonly ToolCallRequestEvent: ToolCallRequestEvent;
  readonly ToolCallSummaryMessage: ToolCallSummaryMessage;
  readonly UserInputRequestedEvent: UserInputRequestedEvent;
}

/** Tells items apart by their `type`, so that those of another copy or port of the framework count as well. */
export function isKind<K extends keyof ItemKinds>(item: ChatItem, kind: K): item is ItemKinds[K] {
  return item.type === kind;
}

/** Whether an item was said, rather than seen happening. */
export function isSaid(item: ChatItem): item is BaseChatMessage {
  return !('isEvent' in item);
}
