import { groupOf, nameOf, type ViewedMessage } from './agent-view.ts';
import { messageSignal } from './signals-from-events.ts';
import { Transcripts } from './transcripts.ts';
import type { Watch } from './watch.ts';

/** What a hook before sending is called with. */
export interface ViewedOutgoing {
  readonly message: string | ViewedMessage;
  readonly recipient: object;
}

/** Tells the breaker what agents without taps say, from what their hooks and reply functions are shown. */
export class UntappedSpeech {
  readonly #watch: Watch;
  readonly #transcripts = new Transcripts();
  /** Names of agents whose words are told as they are sent. */
  readonly #heardElsewhere = new Set<string>();

  constructor(watch: Watch) {
    this.#watch = watch;
  }

  /** The words of this agent are heard as they are sent, and not to be read out of histories again. */
  hears(agent: string): void {
    this.#heardElsewhere.add(agent);
  }

  /** An agent sends a message. What a manager sends are copies of what the members say. */
  sent(agent: object, { message, recipient }: ViewedOutgoing): void {
    if (groupOf(agent)) return;
    this.#watch.failOpen.attempt('observe', () =>
      this.#tell(nameOf(agent), agent, recipient, asMessage(message)),
    );
  }

  /** An agent is asked to answer a history. */
  shown(agent: object, sender: object | null, history: readonly ViewedMessage[]): void {
    if (groupOf(agent)) return;
    this.#watch.failOpen.attempt('observe', () => this.#shown(agent, sender, history));
  }

  #shown(agent: object, sender: object | null, history: readonly ViewedMessage[]): void {
    const said = history.filter((message) => !this.#watch.nudges.isNote(message));
    for (const { author, message } of this.#transcripts.news(agent, sender, said)) {
      if (!this.#heardElsewhere.has(author)) this.#tell(author, agent, sender, message);
    }
  }

  #tell(author: string, agent: object, peer: object | null, message: ViewedMessage): void {
    const scope = this.#watch.chats.scopeOf(agent, peer);
    const listener = author === nameOf(agent) ? peer : agent;
    const { at, depth } = this.#watch.origin(agent, scope?.depth ?? 0);
    this.#watch.tell(messageSignal(message, listener, { at, agent: author, depth }));
  }
}

function asMessage(message: string | ViewedMessage): ViewedMessage {
  return typeof message === 'string' ? { content: message } : message;
}
