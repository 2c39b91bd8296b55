import type { ChatCompletionClient, LLMMessage } from '@teamfuse/models';
import { z } from 'zod';
import { RuntimeError } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import { knownOptions } from '../base/options.ts';
import type { Response } from '../base/response.ts';
import { isTaskResult } from '../base/task-result.ts';
import type { Team } from '../base/team.ts';
import { validate } from '../base/validate.ts';
import type { ComponentClass } from '../component/component-loader.ts';
import type { ComponentModel } from '../component/component-model.ts';
import type { BaseChatMessage } from '../messages/chat/chat-message.ts';
import { HandoffMessage } from '../messages/chat/handoff-message.ts';
import { TextMessage } from '../messages/chat/text-message.ts';
import { type ChatItem, isChatMessage } from '../messages/chat-item.ts';
import { ModelClientStreamingChunkEvent } from '../messages/events/model-client-streaming-chunk-event.ts';
import type { ChatItemClass } from '../messages/message-factory.ts';
import { visibleTo } from '../model-calls/images.ts';
import { addToContext } from '../model-calls/incoming.ts';
import { answerOf, textOf } from '../model-calls/model-call.ts';
import type { ChatCompletionContext } from '../model-context/chat-completion-context.ts';
import { UnboundedChatCompletionContext } from '../model-context/unbounded-context.ts';
import { readSocietyConfig, SOCIETY, societyModel } from './society-of-mind/config.ts';
import { type SocietyOfMindAgentOptions, societyOptionNames } from './society-of-mind/options.ts';
import {
  DEFAULT_DESCRIPTION,
  DEFAULT_INSTRUCTION,
  DEFAULT_RESPONSE_PROMPT,
} from './society-of-mind/prompts.ts';
import { StreamingChatAgent } from './streaming-chat-agent.ts';

const stateJson = z.object({ inner_team_state: z.record(z.string(), z.json()) });

/**
 * Answers with a model's summary of the work of an inner team. Only the summary leaves the agent.
 *
 * @example
 * ```ts
 * const team = new RoundRobinGroupChat([writer, editor], { maxTurns: 4 });
 * const office = new SocietyOfMindAgent('office', { team, modelClient });
 * const { messages } = await office.run({ task: 'Write a short story' });
 * ```
 */
export class SocietyOfMindAgent extends StreamingChatAgent {
  static readonly component: ComponentClass<SocietyOfMindAgent> = {
    provider: SOCIETY.provider,
    load: (config, loader) => new SocietyOfMindAgent(...readSocietyConfig(config, loader)),
  };
  readonly producedMessageTypes: readonly ChatItemClass[] = [TextMessage];
  readonly team: Team;
  /** The model that sums up. Writable, so that a guard can replace it. */
  modelClient: ChatCompletionClient;
  readonly instruction: string;
  readonly responsePrompt: string;
  readonly modelContext: ChatCompletionContext;

  constructor(name: string, options: SocietyOfMindAgentOptions) {
    const {
      team,
      modelClient,
      description = DEFAULT_DESCRIPTION,
      instruction = DEFAULT_INSTRUCTION,
      responsePrompt = DEFAULT_RESPONSE_PROMPT,
      modelContext = new UnboundedChatCompletionContext(),
    } = knownOptions('SocietyOfMindAgent', options, societyOptionNames);
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
    // The discussion is left out, because the outer team would judge it as its own.
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
    return societyModel(this);
  }

  /** Runs the team, and returns its messages and events. */
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

  /** Combines earlier requests into one message. */
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
    const reply = await answerOf(client, visibleTo(client, request), signal ? { signal } : {});
    return new TextMessage({
      content: textOf(reply),
      source: this.name,
      modelsUsage: reply.usage,
    });
  }
}
