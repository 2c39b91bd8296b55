import { nameOf, type ViewedMessage } from '../context/agent-view.ts';
import type { ChatContext } from '../context/chat-context.ts';
import { groupOf } from '../context/group-of.ts';
import type { PromptNudges } from '../observe/prompt-nudges.ts';
import { messageSignal } from '../observe/signals.ts';
import { HistoryCursor } from './history-cursor.ts';

/** The argument of a hook before sending. */
export interface ViewedOutgoing {
  readonly message: string | ViewedMessage;
  readonly recipient: object;
}

/** Reports the messages of agents without taps, as their hooks and reply functions see them. */
export class UntappedSpeech {
  readonly #context: ChatContext;
  readonly #nudges: PromptNudges;
  readonly #histories: HistoryCursor = new HistoryCursor();
  /** Names of agents whose messages are reported as they are sent. */
  readonly #heardElsewhere: Set<string> = new Set();

  constructor(context: ChatContext, nudges: PromptNudges) {
    this.#context = context;
    this.#nudges = nudges;
  }

  /** The messages of this agent are reported as they are sent, and not to be read from histories again. */
  hears(agent: string): void {
    this.#heardElsewhere.add(agent);
  }

  /** An agent sends a message. A manager only sends copies of what the members say. */
  sent(agent: object, { message, recipient }: ViewedOutgoing): void {
    if (groupOf(agent)) return;
    const said = typeof message === 'string' ? { content: message } : message;
    this.#context.attempt('observe', () => this.#report(nameOf(agent), agent, recipient, said));
  }

  /** An agent is asked to answer a history. */
  shown(agent: object, sender: object | null, history: readonly ViewedMessage[]): void {
    if (groupOf(agent)) return;
    this.#context.attempt('observe', () => {
      const said = history.filter((message) => !this.#nudges.isNote(message));
      for (const { author, message } of this.#histories.news(agent, sender, said)) {
        if (!this.#heardElsewhere.has(author)) this.#report(author, agent, sender, message);
      }
    });
  }

  #report(author: string, agent: object, peer: object | null, message: ViewedMessage): void {
    const context = this.#context;
    const listener = author === nameOf(agent) ? peer : agent;
    context.observe(messageSignal(message, listener, context.originOf(author)));
  }
}
