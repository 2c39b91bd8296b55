import type { PrepareChatOptions } from '../chats/chat.ts';
import type { Stop } from '../chats/stop.ts';
import { consoleIO } from '../io/console-io.ts';
import { coloured, type IOStream } from '../io/io-stream.ts';
import { Agent } from '../messages/agent.ts';
import { Conversations } from '../messages/conversations.ts';
import type { ChatMessage } from '../messages/message.ts';
import { AutoReplies } from '../replies/auto-replies.ts';
import type { ConversableAgentOptions } from './agent-options.ts';

/** The state of an agent: its histories, the peers it answers automatically, and its reply counts. */
export abstract class AgentMemory extends Agent {
  /** The histories with all peers. */
  readonly conversations: Conversations;
  /** The consecutive automatic replies and their limits, by peer. */
  readonly autoReplies: AutoReplies;
  /** Whether a message that does not ask for a reply is answered, by peer. */
  readonly replyAtReceive: Map<Agent, boolean> = new Map();
  /** The inputs of people since a chat last cleared its history. */
  readonly humanInputs: string[] = [];
  /** Why this agent gave a peer no reply the last time it was asked for one; nothing where it replied. */
  readonly silences: Map<Agent | null, Stop> = new Map();
  #refusal: Stop | null = null;
  /** Where the agent prints and asks people. */
  readonly io: IOStream;

  constructor(options: ConversableAgentOptions) {
    super();
    const { chatMessages, maxConsecutiveAutoReply = 100, io = consoleIO } = options;
    this.conversations = new Conversations(chatMessages);
    this.autoReplies = new AutoReplies(maxConsecutiveAutoReply);
    this.io = io;
  }

  /** The live histories, by peer. */
  get chatMessages(): Map<Agent | null, ChatMessage[]> {
    return this.conversations.byPeer;
  }

  /** The last refusal of a step since a chat of this agent began; `null` when none was refused. */
  get refusal(): Stop | null {
    return this.#refusal;
  }

  /** The reason of the {@link refusal}. */
  get stopReason(): string | null {
    return this.refusal?.reason ?? null;
  }

  /** Notes that a step of this agent was refused. */
  protected refused(stop: Stop): void {
    this.#refusal = stop;
  }

  /** Prepares this agent for a chat, and the recipient if `prepareRecipient` is set. */
  prepareChat(recipient: Agent, options: PrepareChatOptions): void {
    const { clearHistory, prepareRecipient, replyAtReceive } = options;
    this.#refusal = null;
    this.silences.delete(recipient);
    this.resetConsecutiveAutoReplyCounter(recipient);
    this.replyAtReceive.set(recipient, replyAtReceive);
    if (clearHistory) {
      this.clearHistory(recipient);
      this.humanInputs.length = 0;
    }
    if (prepareRecipient && recipient instanceof AgentMemory) {
      recipient.prepareChat(this, { ...options, prepareRecipient: false });
    }
  }

  /** The messages that a summary of the chat with a peer is made from. */
  chatMessagesForSummary(peer: Agent): ChatMessage[] {
    return this.conversations.with(peer);
  }

  /**
   * The last message with a peer, or of the only conversation there is.
   *
   * @throws {@link GroupChatError} when the peer is unknown, or none is given and there are several
   */
  lastMessage(peer: Agent | null = null): ChatMessage | null {
    return this.conversations.last(peer);
  }

  /** Clears the history with one peer, or all histories; of all, the last messages can be kept. */
  clearHistory(peer?: Agent | null, nrMessagesToPreserve?: number | null): void {
    if (peer) {
      this.conversations.clear(peer);
      if (nrMessagesToPreserve) this.io.print(coloured('yellow', keepIgnored));
    } else if (nrMessagesToPreserve) {
      this.conversations.keepLast(nrMessagesToPreserve, () => {
        this.io.print(
          `Preserving one more message for ${this.name} to not divide history between tool call and tool response.`,
        );
      });
    } else {
      this.conversations.clear();
    }
  }

  /** Sets the count of automatic replies to 0, for one peer or for all. */
  resetConsecutiveAutoReplyCounter(peer?: Agent | null): void {
    this.autoReplies.reset(peer ?? undefined);
  }

  /** Sets the limit of consecutive automatic replies, for one peer or for all. */
  updateMaxConsecutiveAutoReply(value: number, peer?: Agent | null): void {
    this.autoReplies.updateLimit(value, peer ?? undefined);
  }

  /** The limit of consecutive automatic replies to a peer; without one, the default limit. */
  maxConsecutiveAutoReply(peer?: Agent | null): number {
    return peer ? this.autoReplies.limit(peer) : this.autoReplies.defaultLimit;
  }

  /** Stops answering messages that do not ask for a reply, from one peer or from all. */
  stopReplyAtReceive(peer?: Agent | null): void {
    if (peer) this.replyAtReceive.set(peer, false);
    else this.replyAtReceive.clear();
  }
}

const keepIgnored =
  'WARNING: `nr_preserved_messages` is ignored when clearing chat history with a specific agent.';
