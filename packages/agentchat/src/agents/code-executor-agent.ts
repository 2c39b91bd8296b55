import type { CodeExecutor } from '@teamfuse/code-executors';
import type { ChatCompletionClient } from '@teamfuse/models';
import { ValueError } from '../base/errors.ts';
import type { Response } from '../base/response.ts';
import type { ChatItem } from '../messages/chat-item.ts';
import type { BaseChatMessage } from '../messages/chat-message.ts';
import type { ChatItemClass } from '../messages/message-factory.ts';
import { TextMessage } from '../messages/text-message.ts';
import type { ChatCompletionContext } from '../model-context/chat-completion-context.ts';
import { UnboundedChatCompletionContext } from '../model-context/unbounded-context.ts';
import type { ApprovalFunc } from './code-executor/approval.ts';
import { extractCodeBlocks } from './code-executor/code-blocks.ts';
import { CodingTurn } from './code-executor/coding-turn.ts';
import { NO_CODE_BLOCKS } from './code-executor/execution-text.ts';
import type { CodeExecutorAgentOptions } from './code-executor/options.ts';
import type { CodeExecutorParts } from './code-executor/parts.ts';
import { DEFAULT_DESCRIPTION, DEFAULT_SYSTEM_MESSAGE } from './code-executor/prompts.ts';
import { runBlocks } from './code-executor/run-blocks.ts';
import { StreamingChatAgent } from './streaming-chat-agent.ts';

/**
 * Runs the code blocks others write or, given a model, code it writes itself.
 *
 * Code is run without asking unless an `approvalFunc` is given.
 */
export class CodeExecutorAgent extends StreamingChatAgent implements CodeExecutorParts {
  readonly producedMessageTypes: readonly ChatItemClass[] = [TextMessage];
  /** What runs the code. A guard may put another executor in its place, and put it back. */
  codeExecutor: CodeExecutor;
  /** The model, if the agent has one. A guard may put another client in its place, and put it back. */
  modelClient: ChatCompletionClient | undefined;
  readonly modelContext: ChatCompletionContext;
  readonly systemMessage: string | null;
  readonly modelClientStream: boolean;
  readonly maxRetriesOnError: number;
  readonly sources: readonly string[] | undefined;
  readonly supportedLanguages: readonly string[];
  readonly approvalFunc: ApprovalFunc | undefined;

  constructor(
    name: string,
    {
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
    }: CodeExecutorAgentOptions,
  ) {
    super(name, description);
    if (maxRetriesOnError > 0) checkRetries(modelClient);
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

  /** Keeps the conversation: upstream forgets nothing here, and teams reset their members often. */
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
