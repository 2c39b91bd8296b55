import type { ComponentClass } from '../component/component-loader.ts';
import { StopMessage } from '../messages/chat/stop-message.ts';
import type { ChatItem } from '../messages/chat-item.ts';
import { conditionClass, LeafTermination } from './leaf-termination.ts';

/**
 * Stops at a {@link StopMessage}.
 *
 * @example
 * ```ts
 * const condition = new StopMessageTermination();
 * const stop = await condition.call([new StopMessage({ content: 'done', source: 'critic' })]);
 * stop?.content; // => 'Stop message received'
 * ```
 */
export class StopMessageTermination extends LeafTermination {
  static readonly component: ComponentClass<StopMessageTermination> = conditionClass(
    'StopMessageTermination',
    () => new StopMessageTermination(),
  );
  readonly label = 'StopMessageTermination';

  protected judge(messages: readonly ChatItem[]): string | null {
    const isStopped = messages.some((message) => message instanceof StopMessage);
    return isStopped ? 'Stop message received' : null;
  }

  protected config(): Record<string, never> {
    return {};
  }
}
