import type { ChatEvent } from '@teamfuse/groupchat';
import { groupOf, nameOf } from './agent-view.ts';
import { asksForCalls } from './message-text.ts';
import { messageSignal } from './signals-from-events.ts';
import type { Watch } from './watch.ts';

type Of<K extends ChatEvent['kind']> = ChatEvent & { readonly kind: K };

/** Tells the breaker what is said: each utterance once, by its true author. */
export class Speech {
  readonly #watch: Watch;

  constructor(watch: Watch) {
    this.#watch = watch;
  }

  /** A copy of a message was stored. */
  said({ agent, direction, peer, message, delivery }: Of<'message'>): void {
    const watch = this.#watch;
    const scope = watch.chats.scopeOf(agent, peer);
    const isSent = direction === 'sent';
    const turn = isSent ? watch.turns.of(agent, peer) : undefined;
    const isNotice = turn?.notice !== undefined && turn.notice === message.content;
    const isRelay = isSent && watch.relays.has(agent, message);
    const isNews = !isNotice && !isRelay && !isReplayed(agent, isSent, message);
    if (watch.utterances.isNew(delivery) && isNews) {
      const origin = watch.origin(isSent ? agent : peer, scope?.depth ?? 0);
      const author = isSent ? origin.agent : authorOf(message, peer);
      const listener = isSent ? peer : agent;
      watch.tell(messageSignal(message, listener, { ...origin, agent: author }));
    }
    if (turn?.isAnswered) watch.endTurn(turn, asksForCalls(message));
  }

  /** A message entered a group; as a rule its speaker has been seen saying it before. */
  saidToGroup({ agent, speaker, message, round, delivery }: Of<'group-message'>): void {
    const watch = this.#watch;
    const scope = watch.chats.scopeOf(agent, speaker);
    // Round 0 is a message of an earlier chat that is put back: nobody says it now.
    if (!watch.utterances.isNew(delivery) || round === 0) return;
    watch.tell(messageSignal(message, null, watch.origin(speaker, scope?.depth ?? 0)));
  }
}

/** A group that is put back sends out what others have said before: nobody says it now. */
function isReplayed(agent: object, isSent: boolean, { name }: { readonly name?: string }): boolean {
  return isSent && groupOf(agent) !== undefined && name !== undefined && name !== nameOf(agent);
}

/** A manager passes on the words of others under their names. */
function authorOf(
  { name, role }: { readonly name?: string; readonly role?: string },
  peer: object,
): string {
  const isPassedOn = groupOf(peer) !== undefined && role !== 'function';
  return isPassedOn && name !== undefined ? name : nameOf(peer);
}
