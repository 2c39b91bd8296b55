import { textFields } from '../chat/chat-message.ts';
import { BaseTextEvent } from './agent-event.ts';

/** A model's thought before its answer. */
export class ThoughtEvent extends BaseTextEvent {
  static readonly type = 'ThoughtEvent';
  readonly type = 'ThoughtEvent';

  static load(data: unknown): ThoughtEvent {
    return new ThoughtEvent(textFields(data, ThoughtEvent.type));
  }
}
