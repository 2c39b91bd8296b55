import { textFields } from '../chat/chat-message.ts';
import { BaseTextEvent } from './agent-event.ts';

/** An answer of a SelectorGroupChat's selecting model. */
export class SelectorEvent extends BaseTextEvent {
  static readonly type = 'SelectorEvent';
  readonly type = 'SelectorEvent';

  static load(data: unknown): SelectorEvent {
    return new SelectorEvent(textFields(data, SelectorEvent.type));
  }
}
