import type { ChatCompletionClient, LLMMessage } from '@teamfuse/models';

/** Adapts messages to the model: without vision, images become the word `<image>`. */
export function visibleTo(
  client: ChatCompletionClient,
  messages: readonly LLMMessage[],
): readonly LLMMessage[] {
  return client.modelInfo.vision ? messages : messages.map(withoutImages);
}

function withoutImages(message: LLMMessage): LLMMessage {
  if (message.type !== 'UserMessage' || typeof message.content === 'string') return message;
  const parts = message.content.map((part) => (typeof part === 'string' ? part : '<image>'));
  return { ...message, content: parts.join('\n') };
}
