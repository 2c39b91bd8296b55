import type { UserMessage } from '@teamfuse/models';
import { z } from 'zod';
import type { JsonObject } from '../../base/json.ts';
import { validate } from '../../base/validate.ts';
import { BaseMessage, type MessageFields, messageFields, messageJson } from '../base-message.ts';

/** Base class of the messages that participants send to one another. */
export abstract class BaseChatMessage extends BaseMessage {
  /** The text for a model. */
  abstract toModelText(): string;

  /** The message for a model: always a user message, regardless of its source. */
  abstract toModelMessage(): UserMessage;
}

/** Constructor fields of a text message. */
export interface TextFields extends MessageFields {
  readonly content: string;
}

const textJson = messageJson.extend({ content: z.string() });

/**
 * Base class of chat messages with a text. Teams accept a type of your own once it is in their `customMessageTypes`.
 *
 * @example A custom message type
 * ```ts
 * class Note extends BaseTextChatMessage {
 *   static readonly type = 'Note';
 *   readonly type = 'Note';
 *
 *   static load(data: unknown): Note {
 *     return new Note(textFields(data, Note.type));
 *   }
 * }
 * ```
 */
export abstract class BaseTextChatMessage extends BaseChatMessage {
  readonly content: string;

  constructor({ content, ...fields }: TextFields) {
    super(fields);
    this.content = content;
  }

  toText(): string {
    return this.content;
  }

  toModelText(): string {
    return this.content;
  }

  toModelMessage(): UserMessage {
    return { type: 'UserMessage', content: this.content, source: this.source };
  }

  protected dumpFields(): JsonObject {
    return { content: this.content };
  }
}

/**
 * Reads the constructor fields of a text message from its JSON form.
 *
 * @throws {@link ValidationError} headed by `type`.
 */
export function textFields(data: unknown, type: string): TextFields {
  const { content, ...json } = validate(textJson, data, type);
  return { ...messageFields(json), content };
}
