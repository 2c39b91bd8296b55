import type { LLMMessage } from '@teamfuse/models';
import type { OptionNames } from '@teamfuse/python-compat';
import { z } from 'zod';
import { knownOptions } from '../base/options.ts';
import type { ComponentClass } from '../component/component-loader.ts';
import type { ComponentModel } from '../component/component-model.ts';
import { ChatCompletionContext } from './chat-completion-context.ts';
import { contextClass, contextConfig, contextModel } from './context-component.ts';
import { withoutLeadingResult, withoutTrailingRequest } from './orphans.ts';
import { positive } from './positive.ts';

/** Options of {@link HeadAndTailChatCompletionContext}. */
export interface HeadAndTailContextOptions {
  /** Number of first messages to send. At least 1. */
  readonly headSize: number;
  /** Number of latest messages to send. At least 1. */
  readonly tailSize: number;
  /** @defaultValue [] */
  readonly initialMessages?: readonly LLMMessage[] | undefined;
}

/** The names of {@link HeadAndTailContextOptions}. */
const optionNames: OptionNames<HeadAndTailContextOptions> = {
  headSize: true,
  tailSize: true,
  initialMessages: true,
};

/** Sends the first and the latest messages, with the number of skipped messages between them. */
export class HeadAndTailChatCompletionContext extends ChatCompletionContext {
  static readonly component: ComponentClass<HeadAndTailChatCompletionContext> = contextClass(
    'HeadAndTailChatCompletionContext',
    contextConfig.extend({ head_size: z.int(), tail_size: z.int() }),
    ({ head_size, tail_size, initial_messages }) =>
      new HeadAndTailChatCompletionContext({
        headSize: head_size,
        tailSize: tail_size,
        initialMessages: initial_messages ?? [],
      }),
  );
  readonly headSize: number;
  readonly tailSize: number;

  constructor(options: HeadAndTailContextOptions) {
    const { headSize, tailSize, initialMessages } = knownOptions(
      'HeadAndTailChatCompletionContext',
      options,
      optionNames,
    );
    super(initialMessages);
    this.headSize = positive('head_size', headSize);
    this.tailSize = positive('tail_size', tailSize);
  }

  override dumpComponent(): ComponentModel {
    return contextModel('HeadAndTailChatCompletionContext', this, {
      head_size: this.headSize,
      tail_size: this.tailSize,
    });
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
