import { isTeam, type Participant } from '../base/team.ts';
import { isStructuredType } from '../messages/chat/structured-message.ts';
import { SelectorEvent } from '../messages/events/selector-event.ts';
import { type ChatItemClass, MessageFactory } from '../messages/message-factory.ts';

/**
 * The message classes a team knows: the built-in ones, its own, and the kinds of data its agents declare.
 *
 * @throws {@link ValueError} when a class of its own is known already.
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
  // What the selecting model of an inner team answers is shown by the outer team as well.
  if (isTeam(participant)) return [SelectorEvent];
  return participant.producedMessageTypes.filter(({ type }) => isStructuredType(type));
}
