import type { ChatEvent } from '@teamfuse/groupchat';
import { nameOf, type ViewedMessage } from '../context/agent-view.ts';
import type { ChatContext } from '../context/chat-context.ts';
import { groupOf } from '../context/group-of.ts';
import { DeliveryDedup } from './delivery-dedup.ts';
import { asksForCalls, contentText } from './message-text.ts';
import type { PassThroughFilter } from './pass-through-filter.ts';
import { messageSignal } from './signals.ts';

type Of<K extends ChatEvent['kind']> = ChatEvent & { readonly kind: K };

/** Reports messages: each utterance once, by its true author. */
export class Speech {
  readonly #context: ChatContext;
  readonly #passedThrough: PassThroughFilter;

  constructor(context: ChatContext, passedThrough: PassThroughFilter) {
    this.#context = context;
    this.#passedThrough = passedThrough;
  }

  /** A copy of a message was stored. */
  stored({ agent, direction, peer, message, delivery }: Of<'message'>): void {
    const context = this.#context;
    const isSent = direction === 'sent';
    const turn = isSent ? context.place.takeAnswered(agent, peer) : undefined;
    const isNotice = turn?.notice !== undefined;
    const isPassedThrough = this.#passedThrough.has(isSent ? agent : peer, message);
    const isNews = !isNotice && !isPassedThrough && !isReplayed(agent, isSent, message);
    const isTask = isSent
      ? context.place.takeTask(agent, peer)
      : context.place.takeTask(peer, agent);
    if (this.#isFirstCopy(delivery) && isNews) {
      const author = isSent ? nameOf(agent) : authorOf(message, peer);
      if (isTask) context.reportTask(contentText(message.content), author);
      else context.observe(messageSignal(message, isSent ? peer : agent, context.originOf(author)));
    }
    turn?.probe?.turnEnded(asksForCalls(message));
  }

  /** A message entered a group; it is news only if it was handed to the group without being sent. */
  entered({ speaker, message, delivery }: Of<'group-message'>): void {
    const context = this.#context;
    if (!this.#isFirstCopy(delivery)) return;
    context.observe(messageSignal(message, null, context.originOf(nameOf(speaker))));
  }

  #isFirstCopy(delivery: number): boolean {
    return DeliveryDedup.of(this.#context.conversation).isNew(delivery);
  }
}

/** A group that is restored sends out what others have said before. */
function isReplayed(agent: object, isSent: boolean, { name }: ViewedMessage): boolean {
  return isSent && groupOf(agent) !== undefined && name !== undefined && name !== nameOf(agent);
}

/** A manager passes on the words of others under their names. */
function authorOf({ name, role }: ViewedMessage, peer: object): string {
  const isPassedOn = groupOf(peer) !== undefined && role !== 'function';
  return (isPassedOn && name) || nameOf(peer);
}
