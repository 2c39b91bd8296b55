import { isTeam, type Participant } from '../base/team.ts';
import { type ChatItemClass, MessageFactory } from '../messages/message-factory.ts';

/**
 * The message classes a team knows: the built-in ones, its own, and those its agents declare.
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
    if (isTeam(participant)) continue;
    for (const messageClass of participant.producedMessageTypes) {
      if (!factory.isRegistered(messageClass.type)) factory.register(messageClass);
    }
  }
  return factory;
}
