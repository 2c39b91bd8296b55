import { checkOptions, GuardContext, type GuardOptions } from '@teamfuse/adapter-kit';
import type { ChatItem, RunOptions } from '@teamfuse/agentchat';
import type { Breaker } from '@teamfuse/core';
import type { Tapped } from '../signals/item-reader.ts';
import { SeenItems } from '../signals/seen-items.ts';
import { messagesOf } from '../signals/task.ts';
import type { Place, Turn } from './place.ts';

/** A guard context that reads the messages and events of teams. */
export class TeamContext extends GuardContext<Place> {
  override readonly canWrapUp: boolean = true;

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
    if (news.length > 0) this.#read(news, isTask, tapped);
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
        this.#read(messages, true);
        this.seen.announce(messages);
      }
    });
  }

  /** Reports what items say that came together. One that cannot be read does not keep the others from being reported. */
  #read(items: readonly ChatItem[], isTask: boolean, tapped?: Tapped): void {
    const { pricing } = this;
    const { isTaskFromPerson } = this.options;
    const depth = this.scope?.depth ?? 0;
    const at = this.breaker.now();
    const circumstances = { pricing, isTaskFromPerson, isTask, depth, tapped, at };
    const { reader } = this.seen;
    for (const item of items) {
      const signals = this.attempt('observe', () => reader.read(item, circumstances, items));
      for (const signal of signals ?? []) this.observe(signal);
    }
  }
}

/** The context of what is guarded by itself, in the main conversation unless the options name another one. */
export function loneContext(breaker: Breaker, options: GuardOptions): TeamContext {
  checkOptions(options);
  return new TeamContext(breaker, { conversation: '', ...options });
}
