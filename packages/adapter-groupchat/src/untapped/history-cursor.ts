import { nameOf, type ViewedMessage } from '../context/agent-view.ts';
import { groupOf } from '../context/group-of.ts';

/** A new message and its author. */
export interface Heard {
  readonly author: string;
  readonly message: ViewedMessage;
}

interface Cursor {
  length: number;
}

/**
 * Finds new messages in the histories of agents that report nothing themselves.
 *
 * Both sides of a conversation keep the same messages in the same order, and so do the members of a group; one cursor
 * serves all of them. A message that no agent is asked to answer is not found.
 */
export class HistoryCursor {
  readonly #cursors = new WeakMap<object, WeakMap<object, Cursor>>();

  /** The messages of a conversation since the last call. */
  news(agent: object, sender: object | null, history: readonly ViewedMessage[]): readonly Heard[] {
    const cursor = this.#cursorOf(agent, sender);
    // A history that has become shorter was cleared or cut: its last message is the one to be answered.
    const from = history.length >= cursor.length ? cursor.length : history.length - 1;
    cursor.length = history.length;
    return history.slice(Math.max(0, from)).map((message) => ({
      author: message.name ?? nameOf(message.role === 'assistant' ? agent : sender),
      message,
    }));
  }

  #cursorOf(agent: object, sender: object | null): Cursor {
    const peer = sender ?? agent;
    const other = groupOf(peer) ? peer : agent;
    const known = this.#cursors.get(other)?.get(peer) ?? this.#cursors.get(peer)?.get(other);
    if (known) return known;
    const begun: Cursor = { length: 0 };
    const cursors = this.#cursors.get(other) ?? new WeakMap<object, Cursor>();
    this.#cursors.set(other, cursors.set(peer, begun));
    return begun;
  }
}
