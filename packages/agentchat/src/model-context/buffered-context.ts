import type { LLMMessage } from '@teamfuse/models';
import { ChatCompletionContext } from './chat-completion-context.ts';
import { withoutLeadingResult } from './orphans.ts';
import { positive } from './positive.ts';

/** Options of {@link BufferedChatCompletionContext}. */
export interface BufferedContextOptions {
  /** How many of the latest messages are sent. At least 1. */
  readonly bufferSize: number;
  /** @defaultValue [] */
  readonly initialMessages?: readonly LLMMessage[];
}

/** Sends the latest `bufferSize` messages, less a tool result whose request fell out. */
export class BufferedChatCompletionContext extends ChatCompletionContext {
  readonly bufferSize: number;

  constructor({ bufferSize, initialMessages }: BufferedContextOptions) {
    super(initialMessages);
    this.bufferSize = positive('buffer_size', bufferSize);
  }

  protected override view(messages: readonly LLMMessage[]): readonly LLMMessage[] {
    return withoutLeadingResult(messages.slice(-this.bufferSize));
  }
}
