import { isTeam, type Participant } from '../base/team.ts';
import { isStructuredType } from '../messages/chat/structured-message.ts';
import { SelectorEvent } from '../messages/events/selector-event.ts';
import { type ChatItemClass, MessageFactory } from '../messages/message-factory.ts';

/**
 * Registers the message classes of a team: the built-in ones, its own, and those its agents declare.
 *
 * @throws {@link ValueError} when one of its own classes is registered already.
 */
export function teamMessages(
  participants: readonly Participant[],
  customMessageTypes: readonly ChatItemClass[],
): MessageFactory {
  const factory = new MessageFactory();
  for (const messageClass of customMessageTypes) factory.register(messageClass);
  for (const participant of participants) {
    for (const messageClass of declaredBy(participant)) {
      if (!factory.isRegistered(messageClass.type)) factory.register(messageClass);
    }
  }
  return factory;
}

function declaredBy(participant: Participant): readonly ChatItemClass[] {
  // The outer team also streams the answers of an inner team's selecting model.
  if (isTeam(participant)) return [SelectorEvent];
  return participant.producedMessageTypes.filter(({ type }) => isStructuredType(type));
}
