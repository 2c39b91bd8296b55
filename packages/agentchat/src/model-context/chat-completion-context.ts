import type { LLMMessage } from '@teamfuse/models';
import { z } from 'zod';
import { NotImplementedError } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import { validate } from '../base/validate.ts';
import type { Component, ComponentModel } from '../component/component-model.ts';
import { llmMessageJson, llmMessageToJson } from '../messages/llm-json.ts';

const stateJson = z.object({ messages: z.array(llmMessageJson).default([]) });

/**
 * Keeps the conversation an agent has with its model, and decides how much of it the model sees.
 *
 * A subclass only says which part of the stored messages goes out: see {@link ChatCompletionContext.view}.
 */
export abstract class ChatCompletionContext implements Component {
  /** What the context was made with; dumped, but gone after {@link ChatCompletionContext.clear}. */
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

  /** Forgets everything, the initial messages included. */
  async clear(): Promise<void> {
    this.#messages = [];
  }

  /** Everything stored, as JSON with AutoGen's keys. */
  async saveState(): Promise<JsonObject> {
    return { messages: this.#messages.map(llmMessageToJson) };
  }

  /** Puts what was saved in the place of everything stored. */
  async loadState(state: unknown): Promise<void> {
    this.#messages = validate(stateJson, state, 'ChatCompletionContextState').messages;
  }

  /**
   * The context as plain JSON, with the messages it was made with.
   *
   * @throws {@link NotImplementedError} unless the class says how.
   */
  dumpComponent(): ComponentModel {
    throw new NotImplementedError('This component does not support dumping to config');
  }

  /** The part of `messages` the model gets. The array is the callee's own. */
  protected abstract view(
    messages: readonly LLMMessage[],
  ): readonly LLMMessage[] | Promise<readonly LLMMessage[]>;
}
