import type { NestedHappening, NestedStep } from '../chats/nested-chat.ts';
import type { Agent } from '../messages/agent.ts';
import type { ReplyHappening } from '../replies/reply-function.ts';
import type { Happening, Occupation, Step } from '../taps/happening.ts';
import type { TapSet } from '../taps/tap.ts';

/** An event, without the agent it belongs to. */
export type ChatHappeningOf<TAgent> = Happening | ReplyHappening<TAgent> | NestedHappening<TAgent>;

/** A step that an agent is about to take. */
export type UndertakingOf<TAgent> = Step | NestedStep<TAgent>;

/** The agent that an event or an attempt belongs to. */
export interface ChatEventOriginOf<TAgent> {
  readonly agent: TAgent;
  /** The manager, when the agent is one of those it hides while a speaker is chosen. */
  readonly hiddenFor: Agent | null;
}

/** An event of a chat, as taps see it. */
export type ChatEventOf<TAgent> = ChatEventOriginOf<TAgent> & ChatHappeningOf<TAgent>;

/** The agent that does something inside its taps. */
export interface ActivityOriginOf<TAgent> extends ChatEventOriginOf<TAgent> {
  /** Aborts when the chat is cancelled; absent where nothing can cancel it. */
  readonly signal?: AbortSignal;
}

/** A step and the agent that asks for permission to take it. */
export type AttemptOf<TAgent> = ActivityOriginOf<TAgent> & UndertakingOf<TAgent>;

/** What an agent does inside its taps. */
export type ActivityOf<TAgent> = AttemptOf<TAgent> | (ActivityOriginOf<TAgent> & Occupation);

/** The taps of one agent. */
export type TapSetOf<TAgent> = TapSet<ChatEventOf<TAgent>, AttemptOf<TAgent>, ActivityOf<TAgent>>;
