import type { CodeExecutor } from '@teamfuse/code-executors';
import type { ChatCompletionClient } from '@teamfuse/models';
import { z } from 'zod';
import { ValueError } from '../base/errors.ts';
import { knownOptions } from '../base/options.ts';
import type { Response } from '../base/response.ts';
import { validate } from '../base/validate.ts';
import type { ComponentClass } from '../component/component-loader.ts';
import {
  type ComponentModel,
  componentJson,
  componentModel,
} from '../component/component-model.ts';
import { dumpOf } from '../component/dump-of.ts';
import { A_CODE_EXECUTOR, A_MODEL_CLIENT } from '../component/shapes.ts';
import type { BaseChatMessage } from '../messages/chat/chat-message.ts';
import { TextMessage } from '../messages/chat/text-message.ts';
import type { ChatItem } from '../messages/chat-item.ts';
import type { ChatItemClass } from '../messages/message-factory.ts';
import { ChatCompletionContext } from '../model-context/chat-completion-context.ts';
import { UnboundedChatCompletionContext } from '../model-context/unbounded-context.ts';
import type { ApprovalFunc } from './code-executor/approval.ts';
import { extractCodeBlocks } from './code-executor/code-blocks.ts';
import { CodingTurn } from './code-executor/coding-turn.ts';
import { NO_CODE_BLOCKS } from './code-executor/execution-text.ts';
import { type CodeExecutorAgentOptions, codeExecutorOptionNames } from './code-executor/options.ts';
import type { CodeExecutorParts } from './code-executor/parts.ts';
import { DEFAULT_DESCRIPTION, DEFAULT_SYSTEM_MESSAGE } from './code-executor/prompts.ts';
import { runBlocks } from './code-executor/run-blocks.ts';
import { warnOfUnaskedCode } from './code-executor/unasked-warning.ts';
import { StreamingChatAgent } from './streaming-chat-agent.ts';

const PROVIDER = 'autogen_agentchat.agents.CodeExecutorAgent';
const configSchema = z.object({
  name: z.string(),
  code_executor: componentJson,
  model_client: componentJson.nullable().optional(),
  description: z.string().nullable().optional(),
  sources: z.array(z.string()).nullable().optional(),
  system_message: z.string().nullable().optional(),
  model_client_stream: z.boolean().default(false),
  model_context: componentJson.nullable().optional(),
  supported_languages: z.array(z.string()).nullable().optional(),
  max_retries_on_error: z.int().default(0),
});

/**
 * Runs the code blocks others write or, given a model, code it writes itself.
 *
 * Code is run without asking unless an `approvalFunc` is given.
 *
 * @example
 * ```ts
 * await using codeExecutor = new LocalCommandLineCodeExecutor();
 * const runner = new CodeExecutorAgent('runner', {
 *   codeExecutor,
 *   approvalFunc: ({ code }) => ({ approved: !code.includes('rm '), reason: 'it may not delete files' }),
 * });
 * ```
 */
export class CodeExecutorAgent extends StreamingChatAgent implements CodeExecutorParts {
  static readonly component: ComponentClass<CodeExecutorAgent> = {
    provider: PROVIDER,
    load: (config, loader) => {
      const data = validate(configSchema, config, 'CodeExecutorAgentConfig');
      return new CodeExecutorAgent(data.name, {
        codeExecutor: loader.load(data.code_executor, A_CODE_EXECUTOR),
        modelClient: data.model_client ? loader.load(data.model_client, A_MODEL_CLIENT) : undefined,
        modelContext: data.model_context
          ? loader.load(data.model_context, ChatCompletionContext)
          : undefined,
        description: data.description ?? undefined,
        sources: data.sources ?? undefined,
        systemMessage: data.system_message ?? null,
        modelClientStream: data.model_client_stream,
        supportedLanguages: data.supported_languages ?? undefined,
        maxRetriesOnError: data.max_retries_on_error,
      });
    },
  };
  readonly producedMessageTypes: readonly ChatItemClass[] = [TextMessage];
  /** Runs the code. Writable, so that a guard can replace it. */
  codeExecutor: CodeExecutor;
  /** The model, if the agent has one. Writable, so that a guard can replace it. */
  modelClient: ChatCompletionClient | undefined;
  readonly modelContext: ChatCompletionContext;
  readonly systemMessage: string | null;
  readonly modelClientStream: boolean;
  readonly maxRetriesOnError: number;
  readonly sources: readonly string[] | undefined;
  readonly supportedLanguages: readonly string[];
  readonly approvalFunc: ApprovalFunc | undefined;

  constructor(name: string, options: CodeExecutorAgentOptions) {
    const {
      codeExecutor,
      modelClient,
      modelContext = new UnboundedChatCompletionContext(),
      modelClientStream = false,
      maxRetriesOnError = 0,
      description = DEFAULT_DESCRIPTION,
      systemMessage = DEFAULT_SYSTEM_MESSAGE,
      sources,
      supportedLanguages = ['python', 'sh'],
      approvalFunc,
    } = knownOptions('CodeExecutorAgent', options, codeExecutorOptionNames);
    super(name, description);
    if (maxRetriesOnError > 0) checkRetries(modelClient);
    if (approvalFunc === undefined) warnOfUnaskedCode(name);
    this.codeExecutor = codeExecutor;
    this.modelClient = modelClient;
    this.modelContext = modelContext;
    this.modelClientStream = modelClientStream;
    this.maxRetriesOnError = maxRetriesOnError;
    this.systemMessage = systemMessage;
    this.sources = sources && [...sources];
    this.supportedLanguages = [...supportedLanguages];
    this.approvalFunc = approvalFunc;
  }

  protected override async *turn(
    messages: readonly BaseChatMessage[],
    signal: AbortSignal | undefined,
  ): AsyncGenerator<ChatItem, Response> {
    if (this.modelClient !== undefined) {
      return yield* new CodingTurn(this, this.modelClient, signal).run(messages);
    }
    const texts = messages.filter(
      (message) =>
        message instanceof TextMessage && (this.sources?.includes(message.source) ?? true),
    );
    const blocks = texts.flatMap((message) =>
      extractCodeBlocks(message.toText(), this.supportedLanguages),
    );
    const content =
      blocks.length === 0 ? NO_CODE_BLOCKS : (await runBlocks(blocks, this, signal)).output;
    return { chatMessage: new TextMessage({ content, source: this.name }) };
  }

  override dumpComponent(): ComponentModel {
    if (this.approvalFunc !== undefined) {
      throw new ValueError(
        'Cannot serialize CodeExecutorAgent with approval_func set. The approval function is not serializable.',
      );
    }
    return componentModel(
      { provider: PROVIDER, componentType: 'agent' },
      {
        name: this.name,
        code_executor: dumpOf(this.codeExecutor),
        model_client: this.modelClient && dumpOf(this.modelClient),
        description: this.description,
        sources: this.sources,
        system_message: this.systemMessage,
        model_client_stream: this.modelClientStream,
        model_context: this.modelContext.dumpComponent(),
        supported_languages: this.supportedLanguages,
        max_retries_on_error: this.maxRetriesOnError,
      },
    );
  }

  /** Keeps the conversation, as upstream does, because teams reset their members often. */
  override async onReset(): Promise<void> {}
}

function checkRetries(modelClient: ChatCompletionClient | undefined): void {
  if (modelClient?.modelInfo === undefined) {
    throw new ValueError('model_client.model_info must be provided when max_retries_on_error > 0');
  }
  if (!modelClient.modelInfo.structuredOutput) {
    throw new ValueError("Specified model_client doesn't support structured output mode.");
  }
}
