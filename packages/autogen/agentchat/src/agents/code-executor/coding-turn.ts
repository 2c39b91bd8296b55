import type { CodeBlock, CodeResult } from '@teamfuse/code-executors';
import type {
  ChatCompletionClient,
  CreateOptions,
  LLMMessage,
  RequestUsage,
} from '@teamfuse/models';
import type { Response } from '../../base/response.ts';
import type { BaseChatMessage } from '../../messages/chat/chat-message.ts';
import { TextMessage } from '../../messages/chat/text-message.ts';
import type { ChatItem } from '../../messages/chat-item.ts';
import { CodeExecutionEvent } from '../../messages/events/code-execution-event.ts';
import { CodeGenerationEvent } from '../../messages/events/code-generation-event.ts';
import { ThoughtEvent } from '../../messages/events/thought-event.ts';
import { visibleTo } from '../../model-calls/images.ts';
import { addToContext } from '../../model-calls/incoming.ts';
import { answerOf, callModel, textOf } from '../../model-calls/model-call.ts';
import { extractCodeBlocks } from './code-blocks.ts';
import type { CodeExecutorParts } from './parts.ts';
import { RETRY_PROMPT } from './prompts.ts';
import { RETRY_DECISION, type RetryDecision, readRetryDecision } from './retry-decision.ts';
import { runBlocks } from './run-blocks.ts';

/**
 * One turn of a CodeExecutorAgent with a model: write code, run it, retry if the model expects success, and sum up
 * the outcome.
 *
 * The response contains thoughts only; the code events are only streamed.
 */
export class CodingTurn {
  readonly #parts: CodeExecutorParts;
  readonly #client: ChatCompletionClient;
  readonly #signal: AbortSignal | undefined;
  readonly #thoughts: ChatItem[] = [];

  constructor(
    parts: CodeExecutorParts,
    client: ChatCompletionClient,
    signal: AbortSignal | undefined,
  ) {
    this.#parts = parts;
    this.#client = client;
    this.#signal = signal;
  }

  async *run(messages: readonly BaseChatMessage[]): AsyncGenerator<ChatItem, Response> {
    const { name: source, modelContext, maxRetriesOnError, supportedLanguages } = this.#parts;
    for (let retryAttempt = 0; ; retryAttempt++) {
      // The incoming messages are added again for every attempt, so that the task stays in the context.
      await addToContext(modelContext, messages);
      const { content } = yield* this.#ask();
      const codeBlocks = extractCodeBlocks(content, supportedLanguages);
      if (codeBlocks.length === 0) {
        return { chatMessage: new TextMessage({ content, source }) };
      }
      yield new CodeGenerationEvent({ source, retryAttempt, content, codeBlocks });
      const result = yield* this.#execute(codeBlocks, retryAttempt);
      if (result.exitCode === 0 || retryAttempt === maxRetriesOnError) break;
      const { retry, reason } = await this.#decide();
      if (!retry) break;
      yield new CodeGenerationEvent({
        source,
        retryAttempt,
        content: `Attempt number: ${retryAttempt + 1}\nProposed correction: ${reason}`,
        codeBlocks: [],
      });
    }
    const { content, usage } = yield* this.#ask();
    const chatMessage = new TextMessage({ content, source, modelsUsage: usage });
    return { chatMessage, innerMessages: this.#thoughts };
  }

  /** Calls the model, and records its thought and its reply. */
  async *#ask(): AsyncGenerator<
    ChatItem,
    { readonly content: string; readonly usage: RequestUsage }
  > {
    const { name: source, modelContext } = this.#parts;
    const reply = yield* callModel({
      client: this.#client,
      systemMessage: this.#parts.systemMessage,
      messages: await modelContext.getMessages(),
      options: this.#cancellation(),
      stream: this.#parts.modelClientStream,
      source,
      messageId: null,
    });
    const { thought = null } = reply;
    if (thought) {
      const event = new ThoughtEvent({ content: thought, source });
      this.#thoughts.push(event);
      yield event;
    }
    const content = textOf(reply);
    await modelContext.addMessage({ type: 'AssistantMessage', content, source, thought });
    return { content, usage: reply.usage };
  }

  async *#execute(
    blocks: readonly CodeBlock[],
    retryAttempt: number,
  ): AsyncGenerator<ChatItem, CodeResult> {
    const { name: source, modelContext } = this.#parts;
    const result = await runBlocks(blocks, this.#parts, this.#signal);
    await modelContext.addMessage({ type: 'UserMessage', content: result.output, source });
    yield new CodeExecutionEvent({ source, retryAttempt, result });
    return result;
  }

  /** Asks the model, without streaming, whether another attempt is worthwhile. */
  async #decide(): Promise<RetryDecision> {
    const { name: source, modelContext } = this.#parts;
    const context = await modelContext.getMessages();
    const question: LLMMessage = { type: 'UserMessage', content: RETRY_PROMPT, source };
    const reply = await answerOf(this.#client, visibleTo(this.#client, [...context, question]), {
      ...this.#cancellation(),
      jsonOutput: RETRY_DECISION,
    });
    return readRetryDecision(textOf(reply));
  }

  #cancellation(): CreateOptions {
    return this.#signal === undefined ? {} : { signal: this.#signal };
  }
}
