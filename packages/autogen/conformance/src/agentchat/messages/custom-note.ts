import { BaseTextChatMessage, textFields } from '@teamfuse/agentchat';

/** A chat message no factory knows. */
export class CustomNote extends BaseTextChatMessage {
  static readonly type = 'CustomNote';
  readonly type = 'CustomNote';

  static load(data: unknown): CustomNote {
    return new CustomNote(textFields(data, CustomNote.type));
  }
}
