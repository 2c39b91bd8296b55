import type { OptionNames } from '@teamfuse/python-compat';
import { z } from 'zod';
import { knownOptions, textOption, textsOption } from '../base/options.ts';
import { validate } from '../base/validate.ts';
import type { ComponentClass } from '../component/component-loader.ts';
import type { ChatItem } from '../messages/chat-item.ts';
import { conditionClass, LeafTermination } from './leaf-termination.ts';

/** Options of {@link TextMentionTermination}. */
export interface TextMentionOptions {
  /**
   * Sources of the messages and events to search.
   * @defaultValue null: all of them, including the task
   */
  readonly sources?: readonly string[] | null | undefined;
}

/** The names of {@link TextMentionOptions}. */
const optionNames: OptionNames<TextMentionOptions> = {
  sources: true,
};

const configSchema = z.object({
  text: z.string(),
  sources: z.array(z.string()).nullable().optional(),
});

/**
 * Stops when a text occurs in a message or an event, in exactly this spelling.
 *
 * The task and the texts of tool calls and their results are searched too.
 *
 * @example
 * ```ts
 * const condition = new TextMentionTermination('APPROVE', { sources: ['critic'] });
 * await condition.call([new TextMessage({ content: 'APPROVE?', source: 'poet' })]); // => null
 * const stop = await condition.call([new TextMessage({ content: 'I APPROVE', source: 'critic' })]);
 * stop?.content; // => "Text 'APPROVE' mentioned"
 * ```
 */
export class TextMentionTermination extends LeafTermination {
  static readonly component: ComponentClass<TextMentionTermination> = conditionClass(
    'TextMentionTermination',
    (config) => {
      const { text, sources } = validate(configSchema, config, 'TextMentionTerminationConfig');
      return new TextMentionTermination(text, { sources });
    },
  );
  readonly label = 'TextMentionTermination';
  readonly #text: string;
  readonly #sources: readonly string[] | null;

  constructor(text: string, options: TextMentionOptions = {}) {
    const { sources = null } = knownOptions('TextMentionTermination', options, optionNames);
    super();
    this.#text = textOption('text', text);
    this.#sources = sources === null ? null : textsOption('sources', sources);
  }

  protected judge(messages: readonly ChatItem[]): string | null {
    const isMentioned = messages.some(
      (message) =>
        (this.#sources?.includes(message.source) ?? true) && message.toText().includes(this.#text),
    );
    return isMentioned ? `Text '${this.#text}' mentioned` : null;
  }

  protected config(): Record<string, unknown> {
    return { text: this.#text, sources: this.#sources };
  }
}
