import { z } from 'zod';
import { textsOption } from '../base/options.ts';
import { validate } from '../base/validate.ts';
import type { ComponentClass } from '../component/component-loader.ts';
import type { ChatItem } from '../messages/chat-item.ts';
import { conditionClass, LeafTermination } from './leaf-termination.ts';

const configSchema = z.object({ sources: z.array(z.string()) });

/**
 * Stops at a message or event from one of the sources.
 *
 * @example
 * ```ts
 * const condition = new SourceMatchTermination(['critic']);
 * const stop = await condition.call([new TextMessage({ content: 'Hm', source: 'critic' })]);
 * stop?.content; // => "'critic' answered"
 * ```
 */
export class SourceMatchTermination extends LeafTermination {
  static readonly component: ComponentClass<SourceMatchTermination> = conditionClass(
    'SourceMatchTermination',
    (config) => {
      const { sources } = validate(configSchema, config, 'SourceMatchTerminationConfig');
      return new SourceMatchTermination(sources);
    },
  );
  readonly label = 'SourceMatchTermination';
  readonly #sources: readonly string[];

  constructor(sources: readonly string[]) {
    super();
    this.#sources = textsOption('sources', sources);
  }

  protected judge(messages: readonly ChatItem[]): string | null {
    const match = messages.find(({ source }) => this.#sources.includes(source));
    return match === undefined ? null : `'${match.source}' answered`;
  }

  protected config(): Record<string, unknown> {
    return { sources: this.#sources };
  }
}
