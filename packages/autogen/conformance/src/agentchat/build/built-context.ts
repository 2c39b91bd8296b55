import {
  BufferedChatCompletionContext,
  type ChatCompletionContext,
  HeadAndTailChatCompletionContext,
  UnboundedChatCompletionContext,
} from '@teamfuse/agentchat';
import { llmMessageFromJson } from '../messages/llm-message.ts';
import type { ContextSpec } from '../vector.ts';

/** Makes a model context from its description. */
export function buildContext(spec: ContextSpec): ChatCompletionContext {
  const initialMessages = spec.initial_messages?.map(llmMessageFromJson);
  switch (spec.kind) {
    case 'unbounded':
      return new UnboundedChatCompletionContext({ initialMessages });
    case 'buffered':
      return new BufferedChatCompletionContext({
        bufferSize: Number(spec.buffer_size),
        initialMessages,
      });
    case 'head_and_tail':
      return new HeadAndTailChatCompletionContext({
        headSize: Number(spec.head_size),
        tailSize: Number(spec.tail_size),
        initialMessages,
      });
    default:
      throw new Error(`the vectors name an unknown model context: ${spec.kind}`);
  }
}
