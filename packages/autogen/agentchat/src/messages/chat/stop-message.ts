import { BaseTextChatMessage, textFields } from './chat-message.ts';

/** Requests the end of the conversation; the text is the reason. Conditions return it to stop a team. */
export class StopMessage extends BaseTextChatMessage {
  static readonly type = 'StopMessage';
  readonly type = 'StopMessage';

  static load(data: unknown): StopMessage {
    return new StopMessage(textFields(data, StopMessage.type));
  }
}
