import { z } from 'zod';
import { textOption } from '../base/options.ts';
import { validate } from '../base/validate.ts';
import type { ComponentClass } from '../component/component-loader.ts';
import { HandoffMessage } from '../messages/chat/handoff-message.ts';
import type { ChatItem } from '../messages/chat-item.ts';
import { conditionClass, LeafTermination } from './leaf-termination.ts';

const configSchema = z.object({ target: z.string() });

/**
 * Stops at a handoff to the target, for example to a person outside the team.
 *
 * @example
 * ```ts
 * const condition = new HandoffTermination('user');
 * const handoff = new HandoffMessage({ content: 'Over to you', source: 'planner', target: 'user' });
 * (await condition.call([handoff]))?.content; // => 'Handoff to user from planner detected.'
 * ```
 */
export class HandoffTermination extends LeafTermination {
  static readonly component: ComponentClass<HandoffTermination> = conditionClass(
    'HandoffTermination',
    (config) => {
      const { target } = validate(configSchema, config, 'HandoffTerminationConfig');
      return new HandoffTermination(target);
    },
  );
  readonly label = 'HandoffTermination';
  readonly #target: string;

  constructor(target: string) {
    super();
    this.#target = textOption('target', target);
  }

  protected judge(messages: readonly ChatItem[]): string | null {
    const handoff = messages.find(
      (message) => message instanceof HandoffMessage && message.target === this.#target,
    );
    return handoff === undefined
      ? null
      : `Handoff to ${this.#target} from ${handoff.source} detected.`;
  }

  protected config(): Record<string, unknown> {
    return { target: this.#target };
  }
}
