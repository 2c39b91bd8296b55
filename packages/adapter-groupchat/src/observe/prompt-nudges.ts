import { NUDGE_AUTHOR } from '@teamfuse/adapter-kit';
import { type AgentView, isTapped, type ViewedMessage } from '../context/agent-view.ts';
import type { ChatContext } from '../context/chat-context.ts';

/**
 * Puts warnings into prompts: the next agent that asks its model finds a note there, once.
 *
 * The note is in no history and is never the last message, so that terminations, tool calls and code are still found.
 */
export class PromptNudges {
  readonly #context: ChatContext;
  /** Notes in prompts that may or may not be sent. */
  readonly #offered: WeakMap<ViewedMessage, readonly string[]> = new WeakMap();

  constructor(context: ChatContext) {
    this.#context = context;
  }

  /** The messages an agent is to reply to, without laps that the team was told of, and with the note if there is one. */
  into(given: ViewedMessage[], agent: AgentView): ViewedMessage[] {
    if (given.length === 0 || agent.client === null) return given;
    const { nudges, conversation } = this.#context;
    const messages = [...this.#context.withoutLaps(given)];
    const texts = nudges.pending(conversation.id);
    if (texts.length === 0) return messages.length === given.length ? given : messages;
    const note = { role: 'user', name: NUDGE_AUTHOR, content: texts.join('\n') };
    this.#offered.set(note, texts);
    // It is not known when an agent without taps asks its model.
    if (!isTapped(agent)) this.#told(texts);
    return messages.toSpliced(placeFor(messages, agent), 0, note);
  }

  /** Whether a message is one of these notes. */
  isNote(message: ViewedMessage): boolean {
    return this.#offered.has(message);
  }

  /** A model is asked with this prompt: the notes in it are handed over. */
  sent(prompt: readonly ViewedMessage[]): void {
    for (const message of prompt) {
      const texts = this.#offered.get(message);
      if (texts !== undefined) this.#told(texts);
    }
  }

  #told(texts: readonly string[]): void {
    const { nudges, conversation } = this.#context;
    const pending = nudges.pending(conversation.id).filter((text) => texts.includes(text));
    nudges.drop(conversation.id, texts);
    if (pending.length > 0) this.#context.reportNotice(pending.join('\n'));
  }
}

/**
 * Before the last message; before the call if that is the result of one, as nothing may come between the two; in front of
 * all if the agent also searches the latest messages for code.
 */
function placeFor(messages: readonly ViewedMessage[], { codeReply }: AgentView): number {
  if (codeReply) return 0;
  let at = messages.length - 1;
  while (at > 0 && isResult(messages[at])) at -= 1;
  return at;
}

function isResult(message: ViewedMessage | undefined): boolean {
  return message?.role === 'tool' || message?.role === 'function';
}
