import type { BaseChatMessage } from '../messages/chat/chat-message.ts';
import type { ChatItem } from '../messages/chat-item.ts';
import type { ChatItemClass } from '../messages/message-factory.ts';
import type { JsonObject } from './json.ts';
import type { Response } from './response.ts';
import type { CancelOptions, TaskRunner } from './task-runner.ts';

/** Somebody who takes part in a conversation and keeps what was said to it. */
export interface ChatAgent extends TaskRunner {
  readonly name: string;
  /** What the agent is good for; a selecting model reads it. */
  readonly description: string;
  /** The classes of the chat messages it may answer with; teams get to know the structured ones by it. */
  readonly producedMessageTypes: readonly ChatItemClass[];
  /** Answers; `messages` are only those that are new since the last call. */
  onMessages(messages: readonly BaseChatMessage[], options?: CancelOptions): Promise<Response>;
  /** Like {@link ChatAgent.onMessages}, and yields what happens on the way; the {@link Response} comes last. */
  onMessagesStream(
    messages: readonly BaseChatMessage[],
    options?: CancelOptions,
  ): AsyncGenerator<ChatItem | Response, void>;
  /** Forgets everything. */
  onReset(options?: CancelOptions): Promise<void>;
  onPause(options?: CancelOptions): Promise<void>;
  onResume(options?: CancelOptions): Promise<void>;
  saveState(): Promise<JsonObject>;
  loadState(state: JsonObject): Promise<void>;
  close(): Promise<void>;
}
