import type { OptionNames } from '@teamfuse/python-compat';
import { z } from 'zod';
import { integerOption, knownOptions } from '../base/options.ts';
import { validate } from '../base/validate.ts';
import type { ComponentClass } from '../component/component-loader.ts';
import { type ChatItem, isChatMessage } from '../messages/chat-item.ts';
import { conditionClass, LeafTermination } from './leaf-termination.ts';

/** Options of {@link MaxMessageTermination}. */
export interface MaxMessageOptions {
  /**
   * Whether events count as messages.
   * @defaultValue false
   */
  readonly includeAgentEvent?: boolean | undefined;
}

/** The names of {@link MaxMessageOptions}. */
const optionNames: OptionNames<MaxMessageOptions> = {
  includeAgentEvent: true,
};

const configSchema = z.object({
  max_messages: z.int(),
  include_agent_event: z.boolean().default(false),
});

/**
 * Stops after a number of messages, including the task.
 *
 * A limit of zero or less stops every run before it begins, as in AutoGen.
 *
 * @example
 * ```ts
 * const condition = new MaxMessageTermination(2);
 * const task = new TextMessage({ content: 'Write a poem', source: 'user' });
 * await condition.call([task]); // => null
 * (await condition.call([task]))?.content; // => 'Maximum number of messages 2 reached, current message count: 2'
 * ```
 */
export class MaxMessageTermination extends LeafTermination {
  static readonly component: ComponentClass<MaxMessageTermination> = conditionClass(
    'MaxMessageTermination',
    (config) => {
      const { max_messages, include_agent_event } = validate(
        configSchema,
        config,
        'MaxMessageTerminationConfig',
      );
      return new MaxMessageTermination(max_messages, { includeAgentEvent: include_agent_event });
    },
  );
  readonly label = 'MaxMessageTermination';
  readonly #maxMessages: number;
  readonly #includeAgentEvent: boolean;
  #count = 0;

  constructor(maxMessages: number, options: MaxMessageOptions = {}) {
    const { includeAgentEvent = false } = knownOptions(
      'MaxMessageTermination',
      options,
      optionNames,
    );
    super();
    this.#maxMessages = integerOption('maxMessages', maxMessages);
    this.#includeAgentEvent = includeAgentEvent;
  }

  override get terminated(): boolean {
    return this.#count >= this.#maxMessages;
  }

  override async reset(): Promise<void> {
    this.#count = 0;
    await super.reset();
  }

  protected judge(messages: readonly ChatItem[]): string | null {
    this.#count += this.#includeAgentEvent
      ? messages.length
      : messages.filter(isChatMessage).length;
    if (!this.terminated) return null;
    return `Maximum number of messages ${this.#maxMessages} reached, current message count: ${this.#count}`;
  }

  protected config(): Record<string, unknown> {
    return { max_messages: this.#maxMessages, include_agent_event: this.#includeAgentEvent };
  }
}
