import type { JsonObject } from '../../base/json.ts';
import { BaseMessage } from '../base-message.ts';
import type { TextFields } from '../chat/chat-message.ts';

/** Base class of events inside an agent or a team; participants never receive them. */
export abstract class BaseAgentEvent extends BaseMessage {
  /** Distinguishes events from chat messages, which have the same members otherwise. */
  readonly isEvent: true = true;
}

/** Base class of events with a text. */
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
