import type { Finding } from '@teamfuse/core';
import type { AgentView, ViewedMessage } from './agent-view.ts';
import type { CheckedOptions } from './guard-options.ts';

/** Under which name a nudge stands in a prompt. */
const NUDGE_NAME = 'circuit_breaker';

/**
 * Tells the team what a breaker warns of: the next agent that asks its model finds a note in its prompt, once.
 *
 * The note is in no history and is never the last message, so that terminations, tool calls and code are found as ever.
 */
export class Nudges {
  readonly #textOf: CheckedOptions['nudge'];
  #pending: string[] = [];
  /** Notes put into prompts that may or may not be sent. */
  readonly #offered = new WeakMap<ViewedMessage, readonly string[]>();

  constructor({ nudge }: Pick<CheckedOptions, 'nudge'>) {
    this.#textOf = nudge;
  }

  /** Something is worth telling. */
  add(finding: Finding): void {
    this.#pending.push(this.#textOf(finding));
  }

  /** What an agent is to reply to, with the note if there is one for it. */
  into(messages: ViewedMessage[], agent: AgentView): ViewedMessage[] {
    if (this.#pending.length === 0 || messages.length === 0 || agent.client === null) {
      return messages;
    }
    const content = this.#pending.join('\n');
    const note: ViewedMessage = { role: 'user', name: NUDGE_NAME, content };
    this.#offered.set(note, this.#pending);
    if (!agent.taps) this.#pending = [];
    return messages.toSpliced(placeFor(messages, agent), 0, note);
  }

  /** Whether a message is one of these notes. */
  isNote(message: ViewedMessage): boolean {
    return this.#offered.has(message);
  }

  /** A model is asked with this prompt: what it holds has been told. */
  sent(prompt: readonly ViewedMessage[]): void {
    for (const message of prompt) {
      const told = this.#offered.get(message);
      if (told) this.#pending = this.#pending.filter((text) => !told.includes(text));
    }
  }
}

/**
 * Before the last message; before the call where that is the result of one, as nothing may come between the two; in
 * front of all where the agent also searches the latest messages for code.
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
