import { z } from 'zod';
import type { ChatAgent } from '../base/chat-agent.ts';
import { RuntimeError, ValueError } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import { isResponse, type Response } from '../base/response.ts';
import { isTaskResult, type TaskResult } from '../base/task-result.ts';
import { isTeam, type Participant, type Team } from '../base/team.ts';
import { validate } from '../base/validate.ts';
import type { BaseChatMessage } from '../messages/chat/chat-message.ts';
import { type ChatItem, isChatMessage } from '../messages/chat-item.ts';
import type { MessageFactory } from '../messages/message-factory.ts';
import { throwIfCancelled } from './run-failure.ts';

/** The result of one turn of a participant. */
export interface Answer {
  /** Items for the team's thread and condition. */
  readonly delta: readonly ChatItem[];
  /** Messages for the other participants. */
  readonly chatMessages: readonly BaseChatMessage[];
  /** Items that have not been streamed yet. */
  readonly unstreamed: readonly ChatItem[];
  /** The guard's refusal, if one ended the run of an inner team. */
  readonly refusal?: unknown;
}

const stateJson = z.object({
  agent_state: z.record(z.string(), z.json()),
  message_buffer: z.array(z.unknown()).default([]),
});

/** Holds a participant of a team, and buffers the messages of the others until its next turn. */
export class ParticipantContainer {
  readonly participant: Participant;
  readonly #factory: MessageFactory;
  #buffer: BaseChatMessage[] = [];

  constructor(participant: Participant, factory: MessageFactory) {
    this.participant = participant;
    this.#factory = factory;
  }

  get name(): string {
    return this.participant.name;
  }

  /** Buffers messages for the participant's next turn. */
  deliver(messages: readonly BaseChatMessage[]): void {
    this.#buffer.push(...messages);
  }

  /**
   * Gives the participant its turn, yields the items of the turn, and returns the answer.
   *
   * The messages of the turn leave the buffer only after the answer, so that a failed turn can be repeated.
   */
  ask(signal: AbortSignal): AsyncGenerator<ChatItem, Answer> {
    return isTeam(this.participant)
      ? this.#askTeam(this.participant, signal)
      : this.#askAgent(this.participant, signal);
  }

  async *#askAgent(agent: ChatAgent, signal: AbortSignal): AsyncGenerator<ChatItem, Answer> {
    const { messages, taken } = this.#buffered();
    let response: Response | undefined;
    const unstreamed: ChatItem[] = [];
    for await (const item of agent.onMessagesStream(messages, { signal })) {
      const message = isResponse(item) ? item.chatMessage : item;
      this.#factory.check(message);
      if (isResponse(item)) response = item;
      if (response !== undefined) {
        // The team records the answer before it is streamed, so that a reader who leaves at the answer loses nothing.
        unstreamed.push(message);
      } else {
        throwIfCancelled(signal);
        yield message;
      }
    }
    if (response === undefined) {
      throw new RuntimeError(
        "The agent did not produce a final response. Check the agent's on_messages_stream method.",
      );
    }
    const { chatMessage, innerMessages } = response;
    const delta = [...(innerMessages ?? []), chatMessage];
    taken();
    return { delta, chatMessages: [chatMessage], unstreamed };
  }

  async *#askTeam(team: Team, signal: AbortSignal): AsyncGenerator<ChatItem, Answer> {
    const { messages, taken } = this.#buffered();
    let result: TaskResult | undefined;
    // Without new messages the inner team continues where it stopped.
    const task = messages.length === 0 ? null : messages;
    for await (const item of team.runStream({ task, signal, outputTaskMessages: false })) {
      if (isTaskResult(item)) {
        result = item;
      } else {
        this.#factory.check(item);
        throwIfCancelled(signal);
        yield item;
      }
    }
    if (result === undefined) {
      throw new RuntimeError(
        "The team did not produce a final TaskResult. Check the team's run_stream method.",
      );
    }
    const { messages: delta, refusal } = result;
    taken();
    return { delta, chatMessages: delta.filter(isChatMessage), unstreamed: [], refusal };
  }

  /** The messages for a turn; `taken` removes them from the buffer. */
  #buffered(): { readonly messages: readonly BaseChatMessage[]; readonly taken: () => void } {
    // The participant may change the list it is given, and the buffer may grow during the turn.
    const messages = [...this.#buffer];
    const { length } = messages;
    const taken = (): void => {
      this.#buffer.splice(0, length);
    };
    return { messages, taken };
  }

  async reset(): Promise<void> {
    this.#buffer = [];
    await (isTeam(this.participant) ? this.participant.reset() : this.participant.onReset());
  }

  async pause(): Promise<void> {
    await (isTeam(this.participant) ? this.participant.pause() : this.participant.onPause());
  }

  async resume(): Promise<void> {
    await (isTeam(this.participant) ? this.participant.resume() : this.participant.onResume());
  }

  async saveState(): Promise<JsonObject> {
    return {
      type: 'ChatAgentContainerState',
      version: '1.0.0',
      agent_state: await this.participant.saveState(),
      message_buffer: this.#buffer.map((message) => message.dump()),
    };
  }

  async loadState(state: JsonObject): Promise<void> {
    const { agent_state, message_buffer } = validate(stateJson, state, 'ChatAgentContainerState');
    const buffer = message_buffer.map((data) => {
      const message = this.#factory.create(data);
      if (isChatMessage(message)) return message;
      throw new ValueError(`Invalid message type in message buffer: <class '${message.type}'>`);
    });
    await this.participant.loadState(agent_state);
    this.#buffer = buffer;
  }
}
