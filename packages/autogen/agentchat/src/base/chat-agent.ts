import type { BaseChatMessage } from '../messages/chat/chat-message.ts';
import type { ChatItem } from '../messages/chat-item.ts';
import type { ChatItemClass } from '../messages/message-factory.ts';
import type { JsonObject } from './json.ts';
import type { Response } from './response.ts';
import type { CancelOptions, TaskRunner } from './task-runner.ts';

/** A participant of a conversation that remembers the messages it received. */
export interface ChatAgent extends TaskRunner {
  readonly name: string;
  /** Purpose of the agent; a selecting model reads it. */
  readonly description: string;
  /** The classes of its answers; teams register the structured ones among them. */
  readonly producedMessageTypes: readonly ChatItemClass[];
  /** Answers; `messages` has only the messages since the last call. */
  onMessages(messages: readonly BaseChatMessage[], options?: CancelOptions): Promise<Response>;
  /** Like {@link ChatAgent.onMessages}, and yields the items of the turn; the {@link Response} comes last. */
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
