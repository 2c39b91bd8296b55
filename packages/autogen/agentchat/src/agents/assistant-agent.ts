import type { ChatCompletionClient } from '@teamfuse/models';
import { z } from 'zod';
import { ValueError } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import { invalidOption, knownOptions } from '../base/options.ts';
import type { Response } from '../base/response.ts';
import { validate } from '../base/validate.ts';
import type { ComponentClass } from '../component/component-loader.ts';
import type { ComponentModel } from '../component/component-model.ts';
import type { Memory } from '../memory/memory.ts';
import type { BaseChatMessage } from '../messages/chat/chat-message.ts';
import { HandoffMessage } from '../messages/chat/handoff-message.ts';
import { TextMessage } from '../messages/chat/text-message.ts';
import { ToolCallSummaryMessage } from '../messages/chat/tool-call-summary-message.ts';
import type { ChatItem } from '../messages/chat-item.ts';
import type { ChatItemClass } from '../messages/message-factory.ts';
import type { ChatCompletionContext } from '../model-context/chat-completion-context.ts';
import { UnboundedChatCompletionContext } from '../model-context/unbounded-context.ts';
import { StaticWorkbench } from '../tools/static-workbench.ts';
import { toolOf } from '../tools/tool-of.ts';
import type { Workbench } from '../tools/workbench.ts';
import {
  checkedHandoffs,
  checkedIterations,
  checkModelClient,
  checkTools,
} from './assistant/checks.ts';
import { ASSISTANT, assistantModel, readAssistantConfig } from './assistant/config.ts';
import { type AssistantAgentOptions, assistantOptionNames } from './assistant/options.ts';
import { type OutputContent, outputContentOf } from './assistant/output-content.ts';
import type { AssistantParts } from './assistant/parts.ts';
import { DEFAULT_DESCRIPTION, DEFAULT_SYSTEM_MESSAGE } from './assistant/prompts.ts';
import type { SummaryFormatter } from './assistant/summary-formatter.ts';
import { AssistantTurn } from './assistant/turn.ts';
import type { Handoff } from './handoff.ts';
import { StreamingChatAgent } from './streaming-chat-agent.ts';

const stateJson = z.object({ llm_context: z.record(z.string(), z.json()).default({}) });

/**
 * Answers by asking a model, which may call tools and hand off to other agents.
 *
 * @example
 * ```ts
 * const agent = new AssistantAgent('poet', { modelClient });
 * const { messages } = await agent.run({ task: 'Write a haiku about rivers' });
 * ```
 */
export class AssistantAgent extends StreamingChatAgent implements AssistantParts {
  static readonly component: ComponentClass<AssistantAgent> = {
    ...ASSISTANT,
    load: (config, loader) => new AssistantAgent(...readAssistantConfig(config, loader)),
  };
  /** The model. Writable, so that a guard can replace it. */
  modelClient: ChatCompletionClient;
  /** The tools. Writable, so that a guard can replace them. */
  workbench: readonly Workbench[];
  readonly modelContext: ChatCompletionContext;
  readonly memory: readonly Memory[];
  readonly handoffs: readonly Handoff[];
  readonly systemMessage: string | null;
  readonly modelClientStream: boolean;
  readonly reflectOnToolUse: boolean;
  readonly maxToolIterations: number;
  readonly toolCallSummaryFormat: string;
  readonly toolCallSummaryFormatter: SummaryFormatter | undefined;
  readonly outputContent: OutputContent | undefined;
  readonly outputContentTypeFormat: string | null;
  readonly metadata: Readonly<Record<string, string>>;

  constructor(name: string, options: AssistantAgentOptions) {
    if (typeof name !== 'string') {
      throw new ValueError('AssistantAgent: expected a name, then the options.');
    }
    const {
      modelClient,
      tools,
      workbench,
      handoffs = [],
      modelContext = new UnboundedChatCompletionContext(),
      description = DEFAULT_DESCRIPTION,
      systemMessage = DEFAULT_SYSTEM_MESSAGE,
      modelClientStream = false,
      outputContentType,
      outputContentTypeFormat = null,
      reflectOnToolUse = outputContentType !== undefined,
      maxToolIterations = 1,
      toolCallSummaryFormat = '{result}',
      toolCallSummaryFormatter,
      memory = [],
      metadata = {},
    } = knownOptions('AssistantAgent', options, assistantOptionNames);
    super(name, description);
    checkModelClient(modelClient);
    if (!Array.isArray(memory)) {
      throw invalidOption('memory', 'a list of memories', memory);
    }
    const ownTools = (tools ?? []).map(toolOf);
    if (tools !== undefined) checkTools(ownTools, modelClient);
    this.handoffs = checkedHandoffs(handoffs, ownTools, modelClient);
    if (tools !== undefined && workbench !== undefined) {
      throw new ValueError('Tools cannot be used with a workbench.');
    }
    this.maxToolIterations = checkedIterations(maxToolIterations);
    this.modelClient = modelClient;
    this.workbench = [workbench ?? new StaticWorkbench(ownTools)].flat();
    this.modelContext = modelContext;
    this.memory = [...memory];
    this.systemMessage = systemMessage;
    this.modelClientStream = modelClientStream;
    this.reflectOnToolUse = reflectOnToolUse;
    this.toolCallSummaryFormat = toolCallSummaryFormat;
    this.toolCallSummaryFormatter = toolCallSummaryFormatter;
    this.outputContent = outputContentType && outputContentOf(outputContentType);
    this.outputContentTypeFormat = outputContentTypeFormat;
    this.metadata = { ...metadata };
  }

  override get producedMessageTypes(): readonly ChatItemClass[] {
    // Handoff messages are listed even without handoffs, because a swarm may begin with an agent that keeps speaking.
    const types: readonly ChatItemClass[] = [TextMessage, ToolCallSummaryMessage, HandoffMessage];
    return this.outputContent === undefined ? types : [...types, this.outputContent.messageClass];
  }

  override async onReset(): Promise<void> {
    await this.modelContext.clear();
  }

  override async saveState(): Promise<JsonObject> {
    return {
      type: 'AssistantAgentState',
      version: '1.0.0',
      llm_context: await this.modelContext.saveState(),
    };
  }

  override async loadState(state: JsonObject): Promise<void> {
    const { llm_context } = validate(stateJson, state, 'AssistantAgentState');
    await this.modelContext.loadState(llm_context);
  }

  /**
   * The agent as plain JSON, without its conversation and functions.
   *
   * @throws {@link NotImplementedError} when a part, such as a FunctionTool, cannot be dumped.
   */
  override dumpComponent(): ComponentModel {
    return assistantModel(this);
  }

  protected override turn(
    messages: readonly BaseChatMessage[],
    signal: AbortSignal | undefined,
  ): AsyncGenerator<ChatItem, Response> {
    return new AssistantTurn(this, signal).run(messages);
  }
}
