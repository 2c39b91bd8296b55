import { BaseTextChatMessage, textFields } from './chat-message.ts';

/** A text message. */
export class TextMessage extends BaseTextChatMessage {
  static readonly type = 'TextMessage';
  readonly type = 'TextMessage';

  static load(data: unknown): TextMessage {
    return new TextMessage(textFields(data, TextMessage.type));
  }
}
