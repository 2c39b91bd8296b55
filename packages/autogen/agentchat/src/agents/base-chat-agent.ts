import type { ChatAgent } from '../base/chat-agent.ts';
import { NotImplementedError, ValueError } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import { isResponse, type Response } from '../base/response.ts';
import type { TaskResult } from '../base/task-result.ts';
import { type CancelOptions, knownRunOptions, type RunOptions } from '../base/task-runner.ts';
import type { Component, ComponentModel } from '../component/component-model.ts';
import type { BaseChatMessage } from '../messages/chat/chat-message.ts';
import type { ChatItem } from '../messages/chat-item.ts';
import { ModelClientStreamingChunkEvent } from '../messages/events/model-client-streaming-chunk-event.ts';
import type { ChatItemClass } from '../messages/message-factory.ts';
import { isIdentifier } from './identifier.ts';
import { taskMessages } from './task-messages.ts';

/**
 * Base class of agents; subclasses add the answer.
 *
 * @example
 * ```ts
 * class Echo extends BaseChatAgent {
 *   readonly producedMessageTypes = [TextMessage];
 *
 *   async onMessages(messages: readonly BaseChatMessage[]): Promise<Response> {
 *     const content = messages.map((message) => message.toText()).join(' ');
 *     return { chatMessage: new TextMessage({ content, source: this.name }) };
 *   }
 *
 *   async onReset(): Promise<void> {}
 * }
 * ```
 */
export abstract class BaseChatAgent implements ChatAgent, Component {
  readonly name: string;
  readonly description: string;
  abstract readonly producedMessageTypes: readonly ChatItemClass[];

  constructor(name: string, description: string) {
    if (!isIdentifier(name)) {
      throw new ValueError('The agent name must be a valid Python identifier.');
    }
    this.name = name;
    this.description = description;
  }

  abstract onMessages(
    messages: readonly BaseChatMessage[],
    options?: CancelOptions,
  ): Promise<Response>;

  /** Yields the inner messages of the answer, then the answer. */
  async *onMessagesStream(
    messages: readonly BaseChatMessage[],
    options: CancelOptions = {},
  ): AsyncGenerator<ChatItem | Response, void> {
    const response = await this.onMessages(messages, options);
    // Not `yield*`: on a list, each item would cost several promises more.
    for (const item of response.innerMessages ?? []) yield item;
    yield response;
  }

  abstract onReset(options?: CancelOptions): Promise<void>;

  async onPause(_options: CancelOptions = {}): Promise<void> {}

  async onResume(_options: CancelOptions = {}): Promise<void> {}

  async saveState(): Promise<JsonObject> {
    return { type: 'BaseState', version: '1.0.0' };
  }

  async loadState(_state: JsonObject): Promise<void> {}

  async close(): Promise<void> {}

  /**
   * The agent as plain JSON, without its conversation.
   *
   * @throws {@link NotImplementedError} unless the class overrides it.
   */
  dumpComponent(): ComponentModel {
    throw new NotImplementedError('This component does not support dumping to config');
  }

  /** Runs the agent alone on a task. The result has the messages of the response, not of the stream. */
  async run(options: RunOptions = {}): Promise<TaskResult> {
    const { task, signal, outputTaskMessages = true } = knownRunOptions(options);
    const input = taskMessages(task);
    const { chatMessage, innerMessages } = await this.onMessages(input, { signal });
    return {
      messages: [...(outputTaskMessages ? input : []), ...(innerMessages ?? []), chatMessage],
      stopReason: null,
    };
  }

  async *runStream(options: RunOptions = {}): AsyncGenerator<ChatItem | TaskResult, void> {
    const { task, signal, outputTaskMessages = true } = knownRunOptions(options);
    const input = taskMessages(task);
    const seen: ChatItem[] = outputTaskMessages ? [...input] : [];
    yield* seen;
    for await (const item of this.onMessagesStream(input, { signal })) {
      const message = isResponse(item) ? item.chatMessage : item;
      if (!(message instanceof ModelClientStreamingChunkEvent)) seen.push(message);
      yield message;
      if (isResponse(item)) yield { messages: seen, stopReason: null };
    }
  }
}
