import type { LLMMessage } from '@teamfuse/models';
import type { OptionNames } from '@teamfuse/python-compat';
import { knownOptions } from '../base/options.ts';
import type { ComponentClass } from '../component/component-loader.ts';
import type { ComponentModel } from '../component/component-model.ts';
import { ChatCompletionContext } from './chat-completion-context.ts';
import { contextClass, contextConfig, contextModel } from './context-component.ts';

/** Options of {@link UnboundedChatCompletionContext}. */
export interface UnboundedContextOptions {
  /** @defaultValue [] */
  readonly initialMessages?: readonly LLMMessage[] | undefined;
}

/** The names of {@link UnboundedContextOptions}. */
const optionNames: OptionNames<UnboundedContextOptions> = {
  initialMessages: true,
};

/** Sends the whole conversation, however long. */
export class UnboundedChatCompletionContext extends ChatCompletionContext {
  static readonly component: ComponentClass<UnboundedChatCompletionContext> = contextClass(
    'UnboundedChatCompletionContext',
    contextConfig,
    ({ initial_messages }) =>
      new UnboundedChatCompletionContext({ initialMessages: initial_messages ?? [] }),
  );
  constructor(options: UnboundedContextOptions = {}) {
    const { initialMessages } = knownOptions(
      'UnboundedChatCompletionContext',
      options,
      optionNames,
    );
    super(initialMessages);
  }

  override dumpComponent(): ComponentModel {
    return contextModel('UnboundedChatCompletionContext', this);
  }

  protected override view(messages: readonly LLMMessage[]): readonly LLMMessage[] {
    return messages;
  }
}
