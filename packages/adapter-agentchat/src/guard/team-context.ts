import { GuardContext } from '@teamfuse/adapter-kit';
import type { ChatItem, RunOptions } from '@teamfuse/agentchat';
import type { Circumstances, Tapped } from '../signals/item-reader.ts';
import { SeenItems } from '../signals/seen-items.ts';
import { messagesOf } from '../signals/task.ts';
import type { Place, Turn } from './place.ts';

/** A guard context that reads the messages and events of teams. */
export class TeamContext extends GuardContext<Place> {
  /** The items that were observed in this conversation, by any guard of its breaker. */
  get seen(): SeenItems {
    return SeenItems.of(this.conversation);
  }

  /** The current turn. */
  get turn(): Turn | undefined {
    return this.scope?.local?.turn;
  }

  /** Reports what items say, unless they were observed before. */
  items(items: readonly ChatItem[], tapped?: Tapped, isTask = false): void {
    if (!this.isActive) return;
    const news = this.attempt('observe', () => this.seen.enter(items)) ?? [];
    const { models, prices, isTaskFromPerson } = this.options;
    const depth = this.scope?.depth ?? 0;
    const at = this.breaker.now();
    const circumstances = { models, prices, isTaskFromPerson, isTask, depth, tapped, at };
    for (const item of news) this.#read(item, circumstances, news);
  }

  /**
   * Takes note of the task of a run, so that it is reported once and before anything the team does. A text, and the task of
   * a nested chat, is reported where the run or the chat begins.
   */
  task({ task, outputTaskMessages = true }: RunOptions): void {
    if (!this.isActive) return;
    this.attempt('observe', () => {
      const messages = messagesOf(task);
      const isNested = (this.scope?.depth ?? 0) > 0;
      if (typeof task === 'string') {
        if (!isNested || outputTaskMessages) this.seen.announce(task);
      } else if (isNested) this.seen.enter(messages);
      else {
        const at = this.breaker.now();
        const circumstances = { ...this.options, isTask: true, at };
        for (const message of messages) this.#read(message, circumstances, messages);
        this.seen.announce(messages);
      }
    });
  }

  /** An item that cannot be read does not keep the others from being reported. */
  #read(item: ChatItem, circumstances: Circumstances, together: readonly ChatItem[]): void {
    const signals = this.attempt('observe', () =>
      this.seen.reader.read(item, circumstances, together),
    );
    for (const signal of signals ?? []) this.observe(signal);
  }
}
