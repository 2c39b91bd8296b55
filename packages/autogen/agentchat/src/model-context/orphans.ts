import type { LLMMessage } from '@teamfuse/models';

/** Whether the message requests tools, so that their results must follow it. */
export function isToolRequest(message: LLMMessage | undefined): boolean {
  return message?.type === 'AssistantMessage' && typeof message.content !== 'string';
}

/** Drops a first message with tool results whose request is gone. */
export function withoutLeadingResult(messages: readonly LLMMessage[]): readonly LLMMessage[] {
  return messages[0]?.type === 'FunctionExecutionResultMessage' ? messages.slice(1) : messages;
}

/** Drops a last message that requests tools whose results are gone. */
export function withoutTrailingRequest(messages: readonly LLMMessage[]): readonly LLMMessage[] {
  return isToolRequest(messages.at(-1)) ? messages.slice(0, -1) : messages;
}
