import type { LLMMessage } from '@teamfuse/models';
import { ChatCompletionContext } from './chat-completion-context.ts';
import { withoutLeadingResult, withoutTrailingRequest } from './orphans.ts';
import { positive } from './positive.ts';

/** Options of {@link HeadAndTailChatCompletionContext}. */
export interface HeadAndTailContextOptions {
  /** How many of the first messages are sent. At least 1. */
  readonly headSize: number;
  /** How many of the latest messages are sent. At least 1. */
  readonly tailSize: number;
  /** @defaultValue [] */
  readonly initialMessages?: readonly LLMMessage[];
}

/** Sends the first and the latest messages, and says between them how many were left out. */
export class HeadAndTailChatCompletionContext extends ChatCompletionContext {
  readonly headSize: number;
  readonly tailSize: number;

  constructor({ headSize, tailSize, initialMessages }: HeadAndTailContextOptions) {
    super(initialMessages);
    this.headSize = positive('head_size', headSize);
    this.tailSize = positive('tail_size', tailSize);
  }

  protected override view(messages: readonly LLMMessage[]): readonly LLMMessage[] {
    const skipped = messages.length - this.headSize - this.tailSize;
    if (skipped <= 0) return messages;
    return [
      ...withoutTrailingRequest(messages.slice(0, this.headSize)),
      { type: 'UserMessage', content: `Skipped ${skipped} messages.`, source: 'System' },
      ...withoutLeadingResult(messages.slice(-this.tailSize)),
    ];
  }
}
