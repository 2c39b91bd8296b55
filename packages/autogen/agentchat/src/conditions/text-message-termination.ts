import { z } from 'zod';
import { textOption } from '../base/options.ts';
import { validate } from '../base/validate.ts';
import type { ComponentClass } from '../component/component-loader.ts';
import { TextMessage } from '../messages/chat/text-message.ts';
import type { ChatItem } from '../messages/chat-item.ts';
import { conditionClass, LeafTermination } from './leaf-termination.ts';

const configSchema = z.object({ source: z.string().nullable().optional() });

/**
 * Stops at a {@link TextMessage}, of the given source if any: a final answer instead of a tool summary.
 *
 * Without a source it also stops at the task.
 *
 * @example
 * ```ts
 * const condition = new TextMessageTermination('writer');
 * const stop = await condition.call([new TextMessage({ content: 'Done', source: 'writer' })]);
 * stop?.content; // => "Text message received from 'writer'"
 * ```
 */
export class TextMessageTermination extends LeafTermination {
  static readonly component: ComponentClass<TextMessageTermination> = conditionClass(
    'TextMessageTermination',
    (config) => {
      const { source } = validate(configSchema, config, 'TextMessageTerminationConfig');
      return new TextMessageTermination(source);
    },
  );
  readonly label = 'TextMessageTermination';
  readonly #source: string | null;

  constructor(source: string | null = null) {
    super();
    this.#source = source === null ? null : textOption('source', source);
  }

  protected judge(messages: readonly ChatItem[]): string | null {
    const match = messages.find(
      (message) =>
        message instanceof TextMessage &&
        (this.#source === null || message.source === this.#source),
    );
    return match === undefined ? null : `Text message received from '${match.source}'`;
  }

  protected config(): Record<string, unknown> {
    return { source: this.#source };
  }
}
