import type { LLMMessage } from '@teamfuse/models';
import { z } from 'zod';
import { NotImplementedError } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import { validate } from '../base/validate.ts';
import type { Component, ComponentModel } from '../component/component-model.ts';
import { llmMessageJson, llmMessageToJson } from '../messages/llm-json.ts';

const stateJson = z.object({ messages: z.array(llmMessageJson).default([]) });

/**
 * Stores the conversation of an agent with its model, and decides how much of it the model sees.
 *
 * A subclass selects the messages for the model in {@link ChatCompletionContext.view}.
 */
export abstract class ChatCompletionContext implements Component {
  /** Messages given to the constructor; they are dumped, and {@link ChatCompletionContext.clear} removes them. */
  readonly initialMessages: readonly LLMMessage[];
  #messages: LLMMessage[];

  constructor(initialMessages: readonly LLMMessage[] = []) {
    this.initialMessages = [...initialMessages];
    this.#messages = [...initialMessages];
  }

  /** Appends one message. */
  async addMessage(message: LLMMessage): Promise<void> {
    this.#messages.push(message);
  }

  /** The messages to send, oldest first. */
  async getMessages(): Promise<readonly LLMMessage[]> {
    return this.view([...this.#messages]);
  }

  /** Removes all messages, including the initial ones. */
  async clear(): Promise<void> {
    this.#messages = [];
  }

  /** Everything stored, as JSON with AutoGen's keys. */
  async saveState(): Promise<JsonObject> {
    return { messages: this.#messages.map(llmMessageToJson) };
  }

  /** Replaces all stored messages with the saved ones. */
  async loadState(state: unknown): Promise<void> {
    this.#messages = validate(stateJson, state, 'ChatCompletionContextState').messages;
  }

  /**
   * The context as plain JSON, with its initial messages.
   *
   * @throws {@link NotImplementedError} unless the class overrides it.
   */
  dumpComponent(): ComponentModel {
    throw new NotImplementedError('This component does not support dumping to config');
  }

  /** The part of `messages` for the model. The callee may change the array. */
  protected abstract view(
    messages: readonly LLMMessage[],
  ): readonly LLMMessage[] | Promise<readonly LLMMessage[]>;
}
