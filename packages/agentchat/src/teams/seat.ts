import { z } from 'zod';
import type { ChatAgent } from '../base/chat-agent.ts';
import { RuntimeError, ValueError } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import { isResponse, type Response } from '../base/response.ts';
import { isTaskResult, type TaskResult } from '../base/task-result.ts';
import { isTeam, type Participant, type Team } from '../base/team.ts';
import { validate } from '../base/validate.ts';
import { type ChatItem, isChatMessage } from '../messages/chat-item.ts';
import type { BaseChatMessage } from '../messages/chat-message.ts';
import type { MessageFactory } from '../messages/message-factory.ts';
import { throwIfCancelled } from './run-failure.ts';

/** What came of asking a participant. */
export interface Answer {
  /** What the team's condition judges. */
  readonly delta: readonly ChatItem[];
  /** What the other participants get to read. */
  readonly said: readonly BaseChatMessage[];
  /** What has not been streamed yet. */
  readonly unseen: readonly ChatItem[];
}

const stateJson = z.object({
  agent_state: z.record(z.string(), z.json()),
  message_buffer: z.array(z.unknown()).default([]),
});

/** A participant's place in a team: the participant, and what it has not been told yet. */
export class Seat {
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

  /** Keeps messages until the participant is asked next. */
  tell(messages: readonly BaseChatMessage[]): void {
    this.#buffer.push(...messages);
  }

  /**
   * Asks the participant, yields what happens, and returns the answer.
   *
   * What it had to be told counts as told only when it has answered.
   */
  async *ask(signal: AbortSignal): AsyncGenerator<ChatItem, Answer> {
    // The participant may change the list it is given, and the buffer may grow during the turn.
    const told = [...this.#buffer];
    const count = told.length;
    const answer = isTeam(this.participant)
      ? yield* this.#askTeam(this.participant, told, signal)
      : yield* this.#askAgent(this.participant, told, signal);
    this.#buffer.splice(0, count);
    return answer;
  }

  async *#askAgent(
    agent: ChatAgent,
    told: readonly BaseChatMessage[],
    signal: AbortSignal,
  ): AsyncGenerator<ChatItem, Answer> {
    let response: Response | undefined;
    const unseen: ChatItem[] = [];
    for await (const item of agent.onMessagesStream(told, { signal })) {
      const message = isResponse(item) ? item.chatMessage : item;
      this.#factory.check(message);
      if (isResponse(item)) response = item;
      if (response !== undefined) {
        // Streamed only once the team knows of it, so that nothing said is lost on whoever leaves the stream here.
        unseen.push(message);
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
    return { delta: [...(innerMessages ?? []), chatMessage], said: [chatMessage], unseen };
  }

  async *#askTeam(
    team: Team,
    told: readonly BaseChatMessage[],
    signal: AbortSignal,
  ): AsyncGenerator<ChatItem, Answer> {
    let result: TaskResult | undefined;
    // With nothing new to read the inner team goes on where it stopped.
    const task = told.length === 0 ? null : told;
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
    const { messages, refusal } = result;
    if (refusal !== undefined) throw refusal;
    return { delta: messages, said: messages.filter(isChatMessage), unseen: [] };
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
