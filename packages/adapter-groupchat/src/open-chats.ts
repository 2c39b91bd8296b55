import { nestedScope, outermostScope, type Scope } from './scope.ts';
import type { Turn } from './turn.ts';

/** What a nested queue holds, as far as a guard reads it. */
export interface NestedEntry {
  readonly sender?: object | undefined;
  readonly recipient: object;
}

/** How a chat stands to the others: by itself, in a nested queue, or opened by a turn on its own account. */
export type ChatPlace = 'outermost' | 'queued' | 'inner';

interface OpenChat {
  readonly initiator: object;
  readonly recipient: object;
  readonly scope: Scope;
  readonly place: ChatPlace;
}

interface OpenNesting {
  readonly nesting: object;
  readonly owner: object;
  readonly queue: readonly NestedEntry[];
  readonly scope: Scope;
}

/** The chats under way, and who takes part in which. */
export class OpenChats {
  #scopes: Scope[] = [];
  #chats: OpenChat[] = [];
  #nestings: OpenNesting[] = [];

  /** The scopes of the outermost chats. */
  get outermost(): readonly Scope[] {
    return this.#scopes.filter(({ depth }) => depth === 0);
  }

  /** The innermost conversation an agent is in, with a peer if one is given; the peer then takes part in it. */
  scopeOf(agent: object, peer?: object | null): Scope | undefined {
    const scope =
      this.#scopes.findLast(({ members }) => members.has(agent) && (!peer || members.has(peer))) ??
      this.#scopes.findLast(({ members }) => members.has(agent)) ??
      this.#scopes.findLast(({ members }) => peer && members.has(peer));
    scope?.members.add(agent);
    if (peer) scope?.members.add(peer);
    return scope;
  }

  /** A nested queue begins. */
  nestedStarted(nesting: object, owner: object, queue: readonly NestedEntry[], scope: Scope): void {
    this.#nestings.push({ nesting, owner, queue, scope });
    this.#scopes.push(scope);
  }

  /** A nested queue is over. */
  nestedEnded(nesting: object): Scope | undefined {
    const ended = this.#nestings.findLast((open) => open.nesting === nesting);
    this.#nestings = this.#nestings.filter((open) => open !== ended);
    if (ended) this.#close(ended.scope);
    return ended?.scope;
  }

  /** A chat begins. */
  started(
    initiator: object,
    recipient: object,
    opener: Turn | undefined,
    chatId: string,
  ): OpenChat {
    const nesting = this.#nestings.findLast(({ owner, queue }) =>
      queue.some((entry) => entry.recipient === recipient && (entry.sender ?? owner) === initiator),
    );
    const chat = ((): OpenChat => {
      if (nesting) return { initiator, recipient, scope: nesting.scope, place: 'queued' };
      if (opener) {
        return {
          initiator,
          recipient,
          scope: nestedScope(initiator, opener, chatId),
          place: 'inner',
        };
      }
      return { initiator, recipient, scope: outermostScope(initiator), place: 'outermost' };
    })();
    chat.scope.members.add(initiator).add(recipient);
    if (chat.place !== 'queued') this.#scopes.push(chat.scope);
    this.#chats.push(chat);
    return chat;
  }

  /** A chat is over. */
  ended(initiator: object, recipient: object): OpenChat | undefined {
    const chat = this.#chats.findLast(
      (open) => open.initiator === initiator && open.recipient === recipient,
    );
    this.#chats = this.#chats.filter((open) => open !== chat);
    if (chat && chat.place !== 'queued') this.#close(chat.scope);
    return chat;
  }

  #close(scope: Scope): void {
    this.#scopes = this.#scopes.filter((open) => open !== scope);
  }
}
