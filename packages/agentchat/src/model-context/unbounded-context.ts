import type { LLMMessage } from '@teamfuse/models';
import { ChatCompletionContext } from './chat-completion-context.ts';

/** Options of {@link UnboundedChatCompletionContext}. */
export interface UnboundedContextOptions {
  /** @defaultValue [] */
  readonly initialMessages?: readonly LLMMessage[];
}

/** Sends the whole conversation, however long. */
export class UnboundedChatCompletionContext extends ChatCompletionContext {
  constructor({ initialMessages }: UnboundedContextOptions = {}) {
    super(initialMessages);
  }

  protected override view(messages: readonly LLMMessage[]): readonly LLMMessage[] {
    return messages;
  }
}
