import { BaseTextEvent } from './agent-event.ts';
import { textFields } from './chat-message.ts';

/** What a model thought before it answered. */
export class ThoughtEvent extends BaseTextEvent {
  static readonly type = 'ThoughtEvent';
  readonly type = 'ThoughtEvent';

  static load(data: unknown): ThoughtEvent {
    return new ThoughtEvent(textFields(data, ThoughtEvent.type));
  }
}
