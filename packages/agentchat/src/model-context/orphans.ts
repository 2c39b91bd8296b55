import type { LLMMessage } from '@teamfuse/models';

/** Whether the message asks for tools, so that their results have to follow it. */
export function isToolRequest(message: LLMMessage | undefined): boolean {
  return message?.type === 'AssistantMessage' && typeof message.content !== 'string';
}

/** Drops a first message that answers a tool request which is no longer there. */
export function withoutLeadingResult(messages: readonly LLMMessage[]): readonly LLMMessage[] {
  return messages[0]?.type === 'FunctionExecutionResultMessage' ? messages.slice(1) : messages;
}

/** Drops a last message that asks for tools whose results are no longer there. */
export function withoutTrailingRequest(messages: readonly LLMMessage[]): readonly LLMMessage[] {
  return isToolRequest(messages.at(-1)) ? messages.slice(0, -1) : messages;
}
