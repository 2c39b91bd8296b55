import {
  type BaseChatMessage,
  type ChatItem,
  HandoffMessage,
  StopMessage,
  TextMessage,
  ThoughtEvent,
  ToolCallExecutionEvent,
  ToolCallRequestEvent,
} from '@teamfuse/agentchat';

/** A text message, with usage if given. */
export function text(
  content: string,
  source = 'alice',
  usage?: readonly [number, number],
): TextMessage {
  const modelsUsage = usage && { promptTokens: usage[0], completionTokens: usage[1] };
  return new TextMessage({ content, source, modelsUsage });
}

export function stop(content = 'enough', source = 'alice'): BaseChatMessage {
  return new StopMessage({ content, source });
}

export function handoff(target: string, source = 'alice'): HandoffMessage {
  return new HandoffMessage({ content: `over to ${target}`, source, target });
}

export function thought(content: string, source = 'alice'): ChatItem {
  return new ThoughtEvent({ content, source });
}

export function called(name: string, args = '{}', source = 'alice'): ChatItem {
  return new ToolCallRequestEvent({ content: [{ id: '1', name, arguments: args }], source });
}

export function executed(name: string, content = 'ok', isError = false): ChatItem {
  const result = { content, name, callId: '1', isError };
  return new ToolCallExecutionEvent({ content: [result], source: 'alice' });
}
