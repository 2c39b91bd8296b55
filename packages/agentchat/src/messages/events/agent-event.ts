import type { JsonObject } from '../../base/json.ts';
import { BaseMessage } from '../base-message.ts';
import type { TextFields } from '../chat/chat-message.ts';

/** Base of what can be seen to happen inside an agent or a team; no participant ever gets to read it. */
export abstract class BaseAgentEvent extends BaseMessage {
  /** Tells events from chat messages, which have the same members otherwise. */
  readonly isEvent: true = true;
}

/** Base of events that are a text. */
export abstract class BaseTextEvent extends BaseAgentEvent {
  readonly content: string;

  constructor({ content, ...fields }: TextFields) {
    super(fields);
    this.content = content;
  }

  toText(): string {
    return this.content;
  }

  protected dumpFields(): JsonObject {
    return { content: this.content };
  }
}
