import { TerminatedException } from '../base/errors.ts';
import type { MaybePromise } from '../base/maybe-promise.ts';
import { invalidOption } from '../base/options.ts';
import { TerminationCondition } from '../base/termination-condition.ts';
import { StopMessage } from '../messages/chat/stop-message.ts';
import type { ChatItem } from '../messages/chat-item.ts';

/**
 * Stops when a function returns `true` for the new messages. No other value counts.
 *
 * The list may be empty. Neither this condition nor anything that contains it can be dumped.
 *
 * @example
 * ```ts
 * new FunctionalTermination((messages) => messages.at(-1)?.source === 'critic');
 * ```
 */
export class FunctionalTermination extends TerminationCondition {
  readonly #func: (messages: readonly ChatItem[]) => MaybePromise<boolean>;
  #terminated = false;

  constructor(func: (messages: readonly ChatItem[]) => MaybePromise<boolean>) {
    super();
    if (typeof func !== 'function') throw invalidOption('func', 'a function', func);
    this.#func = func;
  }

  get terminated(): boolean {
    return this.#terminated;
  }

  async call(messages: readonly ChatItem[]): Promise<StopMessage | null> {
    if (this.#terminated) throw new TerminatedException();
    if ((await this.#func(messages)) !== true) return null;
    this.#terminated = true;
    return new StopMessage({
      content: 'Functional termination condition met',
      source: 'FunctionalTermination',
    });
  }

  async reset(): Promise<void> {
    this.#terminated = false;
  }
}
