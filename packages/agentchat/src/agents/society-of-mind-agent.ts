import type { ChatCompletionClient, LLMMessage } from '@teamfuse/models';
import { z } from 'zod';
import { RuntimeError } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import type { Response } from '../base/response.ts';
import { isTaskResult } from '../base/task-result.ts';
import type { Team } from '../base/team.ts';
import { validate } from '../base/validate.ts';
import type { ComponentClass } from '../component/component-loader.ts';
import {
  type ComponentModel,
  componentJson,
  componentModel,
  dumpOf,
} from '../component/component-model.ts';
import { A_MODEL_CLIENT, A_TEAM } from '../component/shapes.ts';
import { type ChatItem, isChatMessage } from '../messages/chat-item.ts';
import type { BaseChatMessage } from '../messages/chat-message.ts';
import { HandoffMessage } from '../messages/handoff-message.ts';
import type { ChatItemClass } from '../messages/message-factory.ts';
import { ModelClientStreamingChunkEvent } from '../messages/model-client-streaming-chunk-event.ts';
import { TextMessage } from '../messages/text-message.ts';
import { ChatCompletionContext } from '../model-context/chat-completion-context.ts';
import { UnboundedChatCompletionContext } from '../model-context/unbounded-context.ts';
import { visibleTo } from './images.ts';
import { addToContext } from './incoming.ts';
import { textOf } from './model-call.ts';
import {
  DEFAULT_DESCRIPTION,
  DEFAULT_INSTRUCTION,
  DEFAULT_RESPONSE_PROMPT,
} from './society-of-mind/prompts.ts';
import { StreamingChatAgent } from './streaming-chat-agent.ts';

/** Options of a {@link SocietyOfMindAgent}. */
export interface SocietyOfMindAgentOptions {
  /** Works on every message the agent gets, and is reset afterwards. */
  readonly team: Team;
  /** Puts into words what the team has worked out. */
  readonly modelClient: ChatCompletionClient;
  /** @defaultValue 'An agent that uses an inner team of agents to generate responses.' */
  readonly description?: string | undefined;
  /**
   * What the model is told before the team's conversation.
   * @defaultValue says that a team's work on a request follows
   */
  readonly instruction?: string | undefined;
  /**
   * What the model is asked after the team's conversation.
   * @defaultValue asks for an answer that stands by itself
   */
  readonly responsePrompt?: string | undefined;
  /**
   * What the team is told of earlier requests.
   * @defaultValue an UnboundedChatCompletionContext
   */
  readonly modelContext?: ChatCompletionContext | undefined;
}

const stateJson = z.object({ inner_team_state: z.record(z.string(), z.json()) });

const PROVIDER = 'autogen_agentchat.agents.SocietyOfMindAgent';
const configSchema = z.object({
  name: z.string(),
  team: componentJson,
  model_client: componentJson,
  description: z.string().nullable().optional(),
  instruction: z.string().nullable().optional(),
  response_prompt: z.string().nullable().optional(),
  model_context: componentJson.nullable().optional(),
});

/** Answers by letting a team work on the request, and a model sum up. Outside, only the summary counts. */
export class SocietyOfMindAgent extends StreamingChatAgent {
  static readonly component: ComponentClass<SocietyOfMindAgent> = {
    provider: PROVIDER,
    load: (config, loader) => {
      const data = validate(configSchema, config, 'SocietyOfMindAgentConfig');
      return new SocietyOfMindAgent(data.name, {
        team: loader.load(data.team, A_TEAM),
        modelClient: loader.load(data.model_client, A_MODEL_CLIENT),
        description: data.description ?? undefined,
        instruction: data.instruction ?? undefined,
        responsePrompt: data.response_prompt ?? undefined,
        modelContext: data.model_context
          ? loader.load(data.model_context, ChatCompletionContext)
          : undefined,
      });
    },
  };
  readonly producedMessageTypes: readonly ChatItemClass[] = [TextMessage];
  readonly team: Team;
  /** The model that sums up. A guard may put another client in its place, and put it back. */
  modelClient: ChatCompletionClient;
  readonly instruction: string;
  readonly responsePrompt: string;
  readonly modelContext: ChatCompletionContext;

  constructor(
    name: string,
    {
      team,
      modelClient,
      description = DEFAULT_DESCRIPTION,
      instruction = DEFAULT_INSTRUCTION,
      responsePrompt = DEFAULT_RESPONSE_PROMPT,
      modelContext = new UnboundedChatCompletionContext(),
    }: SocietyOfMindAgentOptions,
  ) {
    super(name, description);
    this.team = team;
    this.modelClient = modelClient;
    this.instruction = instruction;
    this.responsePrompt = responsePrompt;
    this.modelContext = modelContext;
  }

  protected override async *turn(
    messages: readonly BaseChatMessage[],
    signal: AbortSignal | undefined,
  ): AsyncGenerator<ChatItem, Response> {
    const said = yield* this.#discuss(messages, signal);
    const chatMessage =
      said.length === 0
        ? new TextMessage({ content: 'No response.', source: this.name })
        : await this.#sumUp(said, signal);
    await addToContext(this.modelContext, messages);
    await this.team.reset();
    // The discussion is not handed on, or the team around would judge it as its own.
    return { chatMessage, innerMessages: [] };
  }

  override async onReset(): Promise<void> {
    await this.team.reset();
  }

  override async saveState(): Promise<JsonObject> {
    return {
      type: 'SocietyOfMindAgentState',
      version: '1.0.0',
      inner_team_state: await this.team.saveState(),
    };
  }

  override async loadState(state: JsonObject): Promise<void> {
    const { inner_team_state } = validate(stateJson, state, 'SocietyOfMindAgentState');
    await this.team.loadState(inner_team_state);
  }

  override dumpComponent(): ComponentModel {
    return componentModel(
      { provider: PROVIDER, componentType: 'agent' },
      {
        name: this.name,
        team: dumpOf(this.team),
        model_client: dumpOf(this.modelClient),
        description: this.description,
        instruction: this.instruction,
        response_prompt: this.responsePrompt,
        model_context: this.modelContext.dumpComponent(),
      },
    );
  }

  /** Lets the team work, and returns what it said and did. */
  async *#discuss(
    messages: readonly BaseChatMessage[],
    signal: AbortSignal | undefined,
  ): AsyncGenerator<ChatItem, readonly ChatItem[]> {
    const task = [...(await this.#memories()), ...messages];
    const said: ChatItem[] = [];
    const run = this.team.runStream({
      task: task.length === 0 ? null : task,
      outputTaskMessages: false,
      signal,
    });
    for await (const item of run) {
      if (isTaskResult(item)) {
        if (item.refusal !== undefined) throw item.refusal;
        return said;
      }
      if (!(item instanceof ModelClientStreamingChunkEvent)) said.push(item);
      yield item;
    }
    throw new RuntimeError('The inner team did not produce a TaskResult.');
  }

  /** Earlier requests, wrapped up in one message. */
  async #memories(): Promise<readonly HandoffMessage[]> {
    const context = await this.modelContext.getMessages();
    if (context.length === 0) return [];
    const content = 'relevant previous messages';
    return [new HandoffMessage({ content, source: this.name, target: '', context })];
  }

  async #sumUp(said: readonly ChatItem[], signal: AbortSignal | undefined): Promise<TextMessage> {
    const client = this.modelClient;
    const direct = (content: string): LLMMessage =>
      client.modelInfo.multipleSystemMessages === true
        ? { type: 'SystemMessage', content }
        : { type: 'UserMessage', content, source: 'user' };
    const request = [
      direct(this.instruction),
      ...said.filter(isChatMessage).map((message) => message.toModelMessage()),
      direct(this.responsePrompt),
    ];
    const reply = await client.create(visibleTo(client, request), signal ? { signal } : {});
    return new TextMessage({
      content: textOf(reply),
      source: this.name,
      modelsUsage: reply.usage,
    });
  }
}
