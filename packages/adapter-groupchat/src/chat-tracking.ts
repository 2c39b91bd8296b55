import type { ChatEvent } from '@teamfuse/groupchat';
import { nameOf } from './agent-view.ts';
import { contentText } from './message-text.ts';
import { nestedChatId, nestedScope, type Scope } from './scope.ts';
import type { Turn } from './turn.ts';
import type { Watch } from './watch.ts';

type Of<K extends ChatEvent['kind']> = ChatEvent & { readonly kind: K };

/** Follows chats, nested chats and turns from their beginning to their end. */
export class ChatTracking {
  readonly #watch: Watch;

  constructor(watch: Watch) {
    this.#watch = watch;
  }

  started(initiator: object, recipient: object): void {
    const { chats, turns, breaker, options } = this.#watch;
    const opener = turns.openerFor(initiator);
    const { place, scope } = chats.started(initiator, recipient, opener, nameOf(recipient));
    if (place === 'inner' && opener) this.#tellInner(scope, opener);
    // Another run of the same breaker goes on counting: its limits are not to start over.
    const isAlone = chats.outermost.length === 1;
    if (place === 'outermost' && isAlone && options.scope === 'run') breaker.beginRun();
  }

  ended({ agent, recipient, summary }: Of<'chat-end'>): void {
    const chat = this.#watch.chats.ended(agent, recipient);
    if (!chat || chat.place === 'queued') return;
    this.#endTurns(chat.scope);
    if (chat.place === 'inner') this.#tellEnd(chat.scope, agent, summary);
  }

  nestedStarted({ agent, nesting, queue }: Of<'nested-start'>): void {
    const { chats, turns } = this.#watch;
    const scope = nestedScope(agent, turns.of(agent), nestedChatId(queue));
    chats.nestedStarted(nesting, agent, queue, scope);
  }

  nestedEnded({ agent, nesting, reply }: Of<'nested-end'>): void {
    const scope = this.#watch.chats.nestedEnded(nesting);
    if (!scope) return;
    this.#endTurns(scope);
    this.#tellEnd(scope, agent, typeof reply === 'string' ? reply : contentText(reply?.content));
  }

  turnEnded({ agent, sender, reply }: Of<'turn-end'>): void {
    const turn = this.#watch.turns.of(agent, sender);
    if (!turn) return;
    if (reply === null) this.#watch.endTurn(turn);
    else turn.isAnswered = true;
  }

  #endTurns(scope: Scope): void {
    for (const turn of this.#watch.turns.endAll(scope)) this.#watch.gatekeeper.turnOver(turn);
  }

  /** A chat that a tool or a reply function opened on its own account: nobody asked leave for it. */
  #tellInner({ depth, path }: Scope, opener: Turn): void {
    const tool = opener.tools.at(-1);
    this.#watch.tell({
      kind: 'nested-start',
      ...this.#watch.origin(opener.agent, depth),
      path,
      chatId: path.at(-1) ?? '',
      trigger: tool === undefined ? `reply:${nameOf(opener.agent)}` : `tool:${tool}`,
    });
  }

  #tellEnd({ depth, path, opener }: Scope, owner: object, summary: unknown): void {
    this.#watch.tell({
      kind: 'nested-end',
      ...this.#watch.origin(opener?.agent ?? owner, depth),
      path,
      chatId: path.at(-1) ?? '',
      ...(typeof summary === 'string' && summary !== '' && { text: summary }),
    });
  }
}
