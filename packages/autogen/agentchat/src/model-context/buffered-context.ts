import type { LLMMessage } from '@teamfuse/models';
import type { OptionNames } from '@teamfuse/python-compat';
import { z } from 'zod';
import { knownOptions } from '../base/options.ts';
import type { ComponentClass } from '../component/component-loader.ts';
import type { ComponentModel } from '../component/component-model.ts';
import { ChatCompletionContext } from './chat-completion-context.ts';
import { contextClass, contextConfig, contextModel } from './context-component.ts';
import { withoutLeadingResult } from './orphans.ts';
import { positive } from './positive.ts';

/** Options of {@link BufferedChatCompletionContext}. */
export interface BufferedContextOptions {
  /** Number of latest messages to send. At least 1. */
  readonly bufferSize: number;
  /** @defaultValue [] */
  readonly initialMessages?: readonly LLMMessage[] | undefined;
}

/** The names of {@link BufferedContextOptions}. */
const optionNames: OptionNames<BufferedContextOptions> = {
  bufferSize: true,
  initialMessages: true,
};

/**
 * Sends the latest `bufferSize` messages, without a leading tool result whose request is gone.
 *
 * @example
 * ```ts
 * const agent = new AssistantAgent('a', {
 *   modelClient,
 *   modelContext: new BufferedChatCompletionContext({ bufferSize: 10 }),
 * });
 * ```
 */
export class BufferedChatCompletionContext extends ChatCompletionContext {
  static readonly component: ComponentClass<BufferedChatCompletionContext> = contextClass(
    'BufferedChatCompletionContext',
    contextConfig.extend({ buffer_size: z.int() }),
    ({ buffer_size, initial_messages }) =>
      new BufferedChatCompletionContext({
        bufferSize: buffer_size,
        initialMessages: initial_messages ?? [],
      }),
  );
  readonly bufferSize: number;

  constructor(options: BufferedContextOptions) {
    const { bufferSize, initialMessages } = knownOptions(
      'BufferedChatCompletionContext',
      options,
      optionNames,
    );
    super(initialMessages);
    this.bufferSize = positive('buffer_size', bufferSize);
  }

  override dumpComponent(): ComponentModel {
    return contextModel('BufferedChatCompletionContext', this, { buffer_size: this.bufferSize });
  }

  protected override view(messages: readonly LLMMessage[]): readonly LLMMessage[] {
    return withoutLeadingResult(messages.slice(-this.bufferSize));
  }
}
