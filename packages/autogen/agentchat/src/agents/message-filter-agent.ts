import type { OptionNames } from '@teamfuse/python-compat';
import { z } from 'zod';
import type { ChatAgent } from '../base/chat-agent.ts';
import type { JsonObject } from '../base/json.ts';
import { knownOptions } from '../base/options.ts';
import type { Response } from '../base/response.ts';
import type { CancelOptions } from '../base/task-runner.ts';
import { validate } from '../base/validate.ts';
import type { ComponentClass } from '../component/component-loader.ts';
import {
  type ComponentModel,
  componentJson,
  componentModel,
} from '../component/component-model.ts';
import { dumpOf } from '../component/dump-of.ts';
import { AN_AGENT } from '../component/shapes.ts';
import type { BaseChatMessage } from '../messages/chat/chat-message.ts';
import type { ChatItem } from '../messages/chat-item.ts';
import type { ChatItemClass } from '../messages/message-factory.ts';
import { BaseChatAgent } from './base-chat-agent.ts';
import { checkedFilter, filterMessages, type MessageFilter } from './message-filter.ts';

/** Options of a {@link MessageFilterAgent}. */
export interface MessageFilterAgentOptions {
  readonly wrappedAgent: ChatAgent;
  readonly filter: MessageFilter;
}

/** The names of {@link MessageFilterAgentOptions}. */
const optionNames: OptionNames<MessageFilterAgentOptions> = {
  wrappedAgent: true,
  filter: true,
};

const PROVIDER = 'autogen_agentchat.agents.MessageFilterAgent';
const configSchema = z.object({
  name: z.string(),
  wrapped_agent: componentJson,
  filter: z.object({
    per_source: z.array(
      z.object({
        source: z.string(),
        position: z.enum(['first', 'last']).nullable().optional(),
        count: z.int().nullable().optional(),
      }),
    ),
  }),
});

/** A message filter saves the state of its wrapped agent; AutoGen's dumps have none. */
const stateJson = z.object({ wrapped_agent_state: z.record(z.string(), z.json()).optional() });

/**
 * Filters the messages that an agent receives.
 *
 * Answers pass unchanged, with the wrapped agent's name as their source: give both the same name.
 *
 * @example
 * ```ts
 * const filtered = new MessageFilterAgent('editor', {
 *   wrappedAgent: editor,
 *   filter: { perSource: [{ source: 'user', position: 'first', count: 1 }, { source: 'writer' }] },
 * });
 * ```
 */
export class MessageFilterAgent extends BaseChatAgent {
  static readonly component: ComponentClass<MessageFilterAgent> = {
    provider: PROVIDER,
    load: (config, loader) => {
      const data = validate(configSchema, config, 'MessageFilterAgentConfig');
      const wrappedAgent = loader.load(data.wrapped_agent, AN_AGENT);
      const filter = { perSource: data.filter.per_source };
      return new MessageFilterAgent(data.name, { wrappedAgent, filter });
    },
  };
  readonly wrappedAgent: ChatAgent;
  readonly filter: MessageFilter;

  constructor(name: string, options: MessageFilterAgentOptions) {
    const { wrappedAgent, filter } = knownOptions('MessageFilterAgent', options, optionNames);
    super(name, `${wrappedAgent.description} (with message filtering)`);
    this.wrappedAgent = wrappedAgent;
    this.filter = checkedFilter(filter);
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

  override dumpComponent(): ComponentModel {
    return componentModel(
      { provider: PROVIDER, componentType: 'agent' },
      {
        name: this.name,
        wrapped_agent: dumpOf(this.wrappedAgent),
        filter: { per_source: this.filter.perSource },
      },
    );
  }
}
