import type { PrepareChatOptions } from '../chats/chat-party.ts';
import { coloured, type IOStream } from '../io/io-stream.ts';
import type { Agent, GenerateReplyOptions, SendOptions } from '../messages/agent.ts';
import { Conversations } from '../messages/conversations.ts';
import type { ChatMessage, Reply } from '../messages/message.ts';
import { AutoReplies } from '../replies/auto-replies.ts';

/** What an agent remembers: what was said with whom, who is answered unasked, and how often it answered. */
export abstract class AgentMemory implements Agent {
  abstract readonly name: string;
  abstract readonly description: string;
  abstract send(
    message: string | ChatMessage,
    recipient: Agent,
    options?: SendOptions,
  ): Promise<void>;
  abstract receive(
    message: string | ChatMessage,
    sender: Agent,
    options?: SendOptions,
  ): Promise<void>;
  abstract generateReply(options?: GenerateReplyOptions): Promise<Reply>;
  /** The histories with all peers. */
  readonly conversations: Conversations;
  /** The automatic replies in a row, and their limits, by peer. */
  readonly autoReplies: AutoReplies;
  /** Whether a message from a peer is answered unasked, by peer. */
  readonly replyAtReceive: Map<Agent, boolean> = new Map();
  /** What people typed since the last history was cleared. */
  readonly humanInputs: string[] = [];
  /** Why a tap did not let this agent go on; forgotten when the next chat begins. */
  protected refusal: string | null = null;
  /** Where the agent prints and asks people. */
  readonly io: IOStream;

  constructor(
    histories: Map<Agent | null, ChatMessage[]> | undefined,
    maxConsecutiveAutoReply: number,
    io: IOStream,
  ) {
    this.conversations = new Conversations(histories);
    this.autoReplies = new AutoReplies(maxConsecutiveAutoReply);
    this.io = io;
  }

  /** The live histories, by peer. */
  get chatMessages(): Map<Agent | null, ChatMessage[]> {
    return this.conversations.byPeer;
  }

  /** Why a tap did not let the last chat go on; `null` when none stood in the way. */
  get stopReason(): string | null {
    return this.refusal;
  }

  /** Gets ready for a chat; the other side too, if asked to. */
  prepareChat(recipient: Agent, options: PrepareChatOptions): void {
    const { clearHistory, prepareRecipient, replyAtReceive } = options;
    this.refusal = null;
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

  /** The messages a summary of the chat with a peer is made of. */
  chatMessagesForSummary(peer: Agent): ChatMessage[] {
    return this.conversations.with(peer);
  }

  /**
   * The last message with a peer, or of the only conversation there is.
   *
   * @throws {@link GroupChatError} when the peer is unknown, or none is named and there are several
   */
  lastMessage(peer: Agent | null = null): ChatMessage | null {
    return this.conversations.last(peer);
  }

  /** Forgets what was said, with one peer or with all; with all, the last messages can be kept. */
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

  /** Starts counting the automatic replies over, for one peer or for all. */
  resetConsecutiveAutoReplyCounter(peer?: Agent | null): void {
    this.autoReplies.reset(peer ?? undefined);
  }

  /** Sets how many automatic replies in a row a peer gets, or every peer. */
  updateMaxConsecutiveAutoReply(value: number, peer?: Agent | null): void {
    this.autoReplies.updateLimit(value, peer ?? undefined);
  }

  /** How many automatic replies in a row a peer gets, or a peer not met yet. */
  maxConsecutiveAutoReply(peer?: Agent | null): number {
    return peer ? this.autoReplies.limit(peer) : this.autoReplies.defaultLimit;
  }

  /** Makes messages of a peer, or of all, wait for a request before they are answered. */
  stopReplyAtReceive(peer?: Agent | null): void {
    if (peer) this.replyAtReceive.set(peer, false);
    else this.replyAtReceive.clear();
  }
}

const keepIgnored =
  'WARNING: `nr_preserved_messages` is ignored when clearing chat history with a specific agent.';
