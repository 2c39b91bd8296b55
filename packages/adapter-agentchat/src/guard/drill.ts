import { type ChatAgent, type ChatItem, type Response, TextMessage } from '@teamfuse/agentchat';
import { Breaker } from '@teamfuse/core';
import { Observer } from '../observer.ts';

/** A loop is noticed within so many messages, whatever the detectors make of it. */
const MAX_MESSAGES = 12;

/** What stands in for breaker and agents while a guard tests itself. */
export class Drill {
  readonly observer: Observer;

  constructor() {
    // What goes wrong in a drill shows in its report.
    this.observer = new Observer(new Breaker({ maxMessages: MAX_MESSAGES }), () => {});
  }

  /** What any agent says, again and again. */
  answer(agent: ChatAgent): Response {
    const content = 'Thank you. Is there anything else?';
    return { chatMessage: new TextMessage({ content, source: agent.name }) };
  }

  /** The same as a stream. */
  async *stream(agent: ChatAgent): AsyncGenerator<ChatItem | Response, void> {
    yield this.answer(agent);
  }
}
