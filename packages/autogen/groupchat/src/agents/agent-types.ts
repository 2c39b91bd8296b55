import type { InitiateChatOptionsOf, OpeningFunctionOf } from '../chats/chat.ts';
import type { QueuedChatOf } from '../chats/chat-queue.ts';
import type {
  NestedChatOf,
  NestedOpeningOf,
  NestedReplyFunctionOf,
  RegisterNestedChatsOptionsOf,
} from '../chats/nested-chat.ts';
import type { SummaryFunctionOf, SummaryMethodOf } from '../chats/summary.ts';
import type { ReplyEntryOf, ReplyFunctionOf } from '../replies/reply-function.ts';
import { type TapOf, TapSet as TapSetClass } from '../taps/tap.ts';
import type {
  ActivityOf,
  AttemptOf,
  ChatEventOf,
  ChatEventOriginOf,
  ChatHappeningOf,
  TapSetOf,
  UndertakingOf,
} from './chat-event.ts';
import type { ConversableAgent } from './conversable-agent.ts';
import type { HookMethodsOf, OutgoingMessageOf } from './message-hooks.ts';

// The generic types know no agent class, so that ConversableAgent can be built from the code that uses them.

/**
 * One link of an agent's reply chain.
 *
 * `messages` is the live history, or the list that was passed in; later links see changes to it.
 */
export type ReplyFunction<Config = unknown> = ReplyFunctionOf<ConversableAgent, Config>;

/** A link as it stands in the chain. */
export type ReplyEntry = ReplyEntryOf<ConversableAgent>;

/** Computes the opening message of a chat. */
export type OpeningFunction = OpeningFunctionOf<ConversableAgent>;

/** How a chat between two agents is opened, bounded and summed up. */
export type InitiateChatOptions<Opening = OpeningFunction> = InitiateChatOptionsOf<
  ConversableAgent,
  Opening
>;

/** Makes the summary of a chat. */
export type SummaryFunction = SummaryFunctionOf<ConversableAgent>;

/** How a chat is summed up: by its last message, by a model, by a function, or not at all. */
export type SummaryMethod = SummaryMethodOf<ConversableAgent>;

/** One chat of a queue. */
export type QueuedChat<Opening = OpeningFunction> = QueuedChatOf<ConversableAgent, Opening>;

/** Computes the opening of a nested chat; a chat whose opening is `null` is skipped. */
export type NestedOpening = NestedOpeningOf<ConversableAgent>;

/** A chat that an agent has with others before it answers; the agent itself is the default sender. */
export type NestedChat = NestedChatOf<ConversableAgent>;

/** Makes a reply from nested chats, in place of the summary of the last one. */
export type NestedReplyFunction = NestedReplyFunctionOf<ConversableAgent>;

/** Options of {@link ConversableAgent.registerNestedChats}. */
export type RegisterNestedChatsOptions = RegisterNestedChatsOptionsOf<ConversableAgent>;

/** The argument of a hook that runs before a message is stored. */
export type OutgoingMessage = OutgoingMessageOf<ConversableAgent>;

/** The hooks that can be registered; the return value of a hook replaces its argument. */
export type HookMethods = HookMethodsOf<ConversableAgent>;

/** An event, without the agent it belongs to. */
export type ChatHappening = ChatHappeningOf<ConversableAgent>;

/** A step that an agent is about to take. */
export type Undertaking = UndertakingOf<ConversableAgent>;

/** The agent that an event or an attempt belongs to. */
export type ChatEventOrigin = ChatEventOriginOf<ConversableAgent>;

/** An event of a chat, as taps see it. */
export type ChatEvent = ChatEventOf<ConversableAgent>;

/** A step and the agent that asks for permission to take it. */
export type Attempt = AttemptOf<ConversableAgent>;

/** An admitted step, or something else that an agent does inside its taps. */
export type Activity = ActivityOf<ConversableAgent>;

/**
 * Observes agents, and may refuse what they are about to do.
 *
 * Errors of a tap are not caught: like an error of a reply function, they end the chat.
 */
export type Tap = TapOf<ChatEvent, Attempt, Activity>;

/** The taps of one agent; the hidden agents that choose a speaker share the taps of their manager. */
export type TapSet = TapSetOf<ConversableAgent>;
export const TapSet: typeof TapSetClass<ChatEvent, Attempt, Activity> = TapSetClass;
