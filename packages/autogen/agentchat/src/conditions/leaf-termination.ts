import { TerminatedException } from '../base/errors.ts';
import { TerminationCondition } from '../base/termination-condition.ts';
import type { ComponentClass } from '../component/component-loader.ts';
import { type ComponentModel, componentModel } from '../component/component-model.ts';
import { StopMessage } from '../messages/chat/stop-message.ts';
import type { ChatItem } from '../messages/chat-item.ts';

const MODULE = 'autogen_agentchat.conditions';

/** Base of the built-in conditions: once one has stopped, it stays terminated until it is reset. */
export abstract class LeafTermination extends TerminationCondition {
  /** The class name, used in stop messages and dumps. */
  abstract readonly label: string;
  #terminated = false;

  get terminated(): boolean {
    return this.#terminated;
  }

  // No await before the latch: a condition that takes part twice must not judge while it is judging.
  async call(messages: readonly ChatItem[]): Promise<StopMessage | null> {
    if (this.terminated) throw new TerminatedException();
    const reason = this.judge(messages);
    if (reason === null) return null;
    this.#terminated = true;
    return new StopMessage({ content: reason, source: this.label });
  }

  async reset(): Promise<void> {
    this.#terminated = false;
  }

  override dumpComponent(): ComponentModel {
    const identity = { provider: `${MODULE}.${this.label}`, componentType: 'termination' };
    return componentModel(identity, this.config());
  }

  /** The reason to stop, or `null` to continue. */
  protected abstract judge(messages: readonly ChatItem[]): string | null;

  /** The config of the condition's dump. */
  protected abstract config(): Readonly<Record<string, unknown>>;
}

/** The {@link ComponentClass} of a built-in condition. */
export function conditionClass<T extends LeafTermination>(
  label: string,
  load: (config: Readonly<Record<string, unknown>>) => T,
): ComponentClass<T> {
  return {
    provider: `${MODULE}.${label}`,
    aliases: [`${MODULE}._terminations.${label}`],
    load,
  };
}
