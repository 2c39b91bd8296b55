import { GuardContext, type Scope } from '@teamfuse/adapter-kit';
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

  /** A scope with another adapter part. */
  localScope(scope: Scope<Place>, local: Place): Scope<Place> {
    return { ...scope, local: { ...scope.local, ...local } };
  }

  /** Reports what items say, unless they were observed before. */
  items(items: readonly ChatItem[], tapped?: Tapped, isTask = false): void {
    if (!this.isActive) return;
    const news = this.attempt('observe', () => this.seen.enter(items)) ?? [];
    // Most items come by twice: in the turn, and in the stream of the team.
    if (news.length === 0) return;
    const { models, prices, isTaskFromPerson } = this.options;
    const circumstances = {
      models,
      prices,
      isTaskFromPerson,
      isTask,
      depth: this.scope?.depth ?? 0,
      ...(tapped && { tapped }),
    };
    for (const item of news) this.#read(item, circumstances, news);
  }

  /** Reports the task of a run before the team has it, so that nothing the team does comes first. */
  task(task: RunOptions['task']): void {
    this.attempt('observe', () => {
      if (typeof task === 'string') {
        this.reportTask(task);
        this.seen.announce(task);
      } else {
        const messages = messagesOf(task);
        const circumstances = { ...this.options, isTask: true };
        for (const message of messages) this.#read(message, circumstances, messages);
        this.seen.announce(messages);
      }
    });
  }

  /** Notes the task of a nested chat: its opener reports it. */
  knownTask(task: RunOptions['task'], isShown: boolean): void {
    this.attempt('observe', () => {
      if (typeof task !== 'string') this.seen.enter(messagesOf(task));
      else if (isShown) this.seen.announce(task);
    });
  }

  /** An item that cannot be read does not keep the others from being reported. */
  #read(
    item: ChatItem,
    circumstances: Omit<Circumstances, 'at'>,
    together: readonly ChatItem[],
  ): void {
    const at = this.breaker.now();
    const signals = this.attempt('observe', () =>
      this.seen.reader.read(item, { ...circumstances, at }, together),
    );
    for (const signal of signals ?? []) this.observe(signal);
  }
}
