import { isRefusal } from '@teamfuse/python-compat';
import { CancelledError, RuntimeError } from '../base/errors.ts';
import { isResponse, type Response } from '../base/response.ts';
import type { CancelOptions } from '../base/task-runner.ts';
import type { BaseChatMessage } from '../messages/chat/chat-message.ts';
import type { ChatItem } from '../messages/chat-item.ts';
import { BaseChatAgent } from './base-chat-agent.ts';

/** Base class of agents that stream the items of their turns. */
export abstract class StreamingChatAgent extends BaseChatAgent {
  /** Yields the items of the turn, and returns the answer. */
  protected abstract turn(
    messages: readonly BaseChatMessage[],
    signal: AbortSignal | undefined,
  ): AsyncGenerator<ChatItem, Response>;

  override async onMessages(
    messages: readonly BaseChatMessage[],
    options: CancelOptions = {},
  ): Promise<Response> {
    for await (const item of this.onMessagesStream(messages, options)) {
      if (isResponse(item)) return item;
    }
    throw new RuntimeError('The agent did not produce a final response.');
  }

  /**
   * Yields the items of the turn, then the {@link Response}.
   *
   * @throws {@link CancelledError} once the signal is aborted, with the error of the interrupted step as its cause.
   */
  override async *onMessagesStream(
    messages: readonly BaseChatMessage[],
    { signal }: CancelOptions = {},
  ): AsyncGenerator<ChatItem | Response, void> {
    if (isAborted(signal)) throw new CancelledError({ cause: signal?.reason });
    try {
      yield yield* this.turn(messages, signal);
    } catch (error) {
      if (!isAborted(signal) || isRefusal(error) || error instanceof CancelledError) throw error;
      throw new CancelledError({ cause: error });
    }
  }
}

function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}
