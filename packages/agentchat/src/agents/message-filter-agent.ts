import { z } from 'zod';
import type { ChatAgent } from '../base/chat-agent.ts';
import type { JsonObject } from '../base/json.ts';
import type { Response } from '../base/response.ts';
import type { CancelOptions } from '../base/task-runner.ts';
import { validate } from '../base/validate.ts';
import type { ChatItem } from '../messages/chat-item.ts';
import type { BaseChatMessage } from '../messages/chat-message.ts';
import type { ChatItemClass } from '../messages/message-factory.ts';
import { BaseChatAgent } from './base-chat-agent.ts';
import { filterMessages, type MessageFilter } from './message-filter.ts';

/** Options of a {@link MessageFilterAgent}. */
export interface MessageFilterAgentOptions {
  readonly wrappedAgent: ChatAgent;
  readonly filter: MessageFilter;
}

/** A message filter's own state is its wrapped agent's; dumps made by AutoGen have none. */
const stateJson = z.object({ wrapped_agent_state: z.record(z.string(), z.json()).optional() });

/**
 * Lets through to an agent only the messages it should see.
 *
 * What the agent says passes unchanged, so it is from the wrapped agent's name: give both the same.
 */
export class MessageFilterAgent extends BaseChatAgent {
  readonly wrappedAgent: ChatAgent;
  readonly filter: MessageFilter;

  constructor(name: string, { wrappedAgent, filter }: MessageFilterAgentOptions) {
    super(name, `${wrappedAgent.description} (with message filtering)`);
    this.wrappedAgent = wrappedAgent;
    this.filter = filter;
  }

  override get producedMessageTypes(): readonly ChatItemClass[] {
    return this.wrappedAgent.producedMessageTypes;
  }

  override async onMessages(
    messages: readonly BaseChatMessage[],
    options: CancelOptions = {},
  ): Promise<Response> {
    return this.wrappedAgent.onMessages(filterMessages(messages, this.filter), options);
  }

  override async *onMessagesStream(
    messages: readonly BaseChatMessage[],
    options: CancelOptions = {},
  ): AsyncGenerator<ChatItem | Response, void> {
    yield* this.wrappedAgent.onMessagesStream(filterMessages(messages, this.filter), options);
  }

  override async onReset(options: CancelOptions = {}): Promise<void> {
    await this.wrappedAgent.onReset(options);
  }

  override async onPause(options: CancelOptions = {}): Promise<void> {
    await this.wrappedAgent.onPause(options);
  }

  override async onResume(options: CancelOptions = {}): Promise<void> {
    await this.wrappedAgent.onResume(options);
  }

  override async saveState(): Promise<JsonObject> {
    return {
      type: 'MessageFilterAgentState',
      version: '1.0.0',
      wrapped_agent_state: await this.wrappedAgent.saveState(),
    };
  }

  override async loadState(state: JsonObject): Promise<void> {
    const { wrapped_agent_state } = validate(stateJson, state, 'MessageFilterAgentState');
    if (wrapped_agent_state !== undefined) await this.wrappedAgent.loadState(wrapped_agent_state);
  }

  override async close(): Promise<void> {
    await this.wrappedAgent.close();
  }
}
