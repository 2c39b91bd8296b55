import { randomUUID } from 'node:crypto';
import type {
  CreateOptions,
  CreateResult,
  FunctionCall,
  FunctionExecutionResult,
  ToolSchema,
} from '@teamfuse/models';
import { RuntimeError } from '../../base/errors.ts';
import type { Response } from '../../base/response.ts';
import type { BaseChatMessage } from '../../messages/chat/chat-message.ts';
import { TextMessage } from '../../messages/chat/text-message.ts';
import type { ChatItem } from '../../messages/chat-item.ts';
import { MemoryQueryEvent } from '../../messages/events/memory-query-event.ts';
import { ThoughtEvent } from '../../messages/events/thought-event.ts';
import { ToolCallExecutionEvent } from '../../messages/events/tool-call-execution-event.ts';
import { ToolCallRequestEvent } from '../../messages/events/tool-call-request-event.ts';
import { addToContext } from '../../model-calls/incoming.ts';
import { callModel } from '../../model-calls/model-call.ts';
import { handoffSchema } from '../handoff.ts';
import type { ExecutedCall } from './executed-call.ts';
import { handoffMessage } from './handoff-message.ts';
import { structuredMessage } from './output-content.ts';
import type { AssistantParts } from './parts.ts';
import { executeCalls } from './tool-calls.ts';
import { summaryMessage } from './tool-summary.ts';

/** One turn of an AssistantAgent: model calls and rounds of tools until the final answer. */
export class AssistantTurn {
  readonly #parts: AssistantParts;
  readonly #signal: AbortSignal | undefined;
  /** Inner messages of the response: all items yielded except the chunks of the agent's own model. */
  readonly #inner: ChatItem[] = [];
  /** Id of the message the next chunks belong to. */
  #messageId: string = randomUUID();

  constructor(parts: AssistantParts, signal: AbortSignal | undefined) {
    this.#parts = parts;
    this.#signal = signal;
  }

  async *run(messages: readonly BaseChatMessage[]): AsyncGenerator<ChatItem, Response> {
    const parts = this.#parts;
    await addToContext(parts.modelContext, messages);
    yield* this.#recall();
    for (let round = 1; ; round++) {
      const reply = yield* this.#ask({ tools: await this.#offeredTools() }, false);
      const { content } = reply;
      if (typeof content === 'string') {
        return this.#respond(await this.#answer(content, reply, parts.outputContentTypeFormat));
      }
      const executed = yield* this.#callTools(content, reply);
      const handoff = handoffMessage(executed, reply.thought, parts);
      if (handoff !== undefined) return this.#respond(handoff);
      if (round < parts.maxToolIterations) continue;
      if (!parts.reflectOnToolUse) return this.#respond(summaryMessage(executed, parts));
      return yield* this.#reflect();
    }
  }

  /** Lets every memory add to the context. */
  async *#recall(): AsyncGenerator<ChatItem, void> {
    const { memory, modelContext, name: source } = this.#parts;
    for (const store of memory) {
      const content = await store.updateContext(modelContext);
      if (content.length > 0) yield this.#keep(new MemoryQueryEvent({ content, source }));
    }
  }

  /** Calls the model, and records its thought and its reply. */
  async *#ask(
    options: CreateOptions,
    isReflection: boolean,
  ): AsyncGenerator<ChatItem, CreateResult> {
    const { name: source, modelContext, outputContent } = this.#parts;
    const reply = yield* callModel({
      client: this.#parts.modelClient,
      systemMessage: this.#parts.systemMessage,
      messages: await modelContext.getMessages(),
      options: {
        ...options,
        ...(outputContent && { jsonOutput: outputContent.jsonOutput }),
        ...(this.#signal && { signal: this.#signal }),
      },
      stream: this.#parts.modelClientStream,
      source,
      messageId: this.#messageId,
    });
    const { content, thought = null } = reply;
    if (thought) yield this.#keep(this.#thoughtEvent(thought, isReflection));
    await modelContext.addMessage({ type: 'AssistantMessage', content, source, thought });
    return reply;
  }

  /** Before the first tool results the chunks count as those of the thought, which takes their id. */
  #thoughtEvent(content: string, isReflection: boolean): ThoughtEvent {
    const { name: source } = this.#parts;
    if (isReflection) return new ThoughtEvent({ content, source });
    const event = new ThoughtEvent({ content, source, id: this.#messageId });
    this.#messageId = randomUUID();
    return event;
  }

  async *#callTools(
    calls: readonly FunctionCall[],
    { usage: modelsUsage }: CreateResult,
  ): AsyncGenerator<ChatItem, readonly ExecutedCall[]> {
    const { name: source, modelContext, workbench, handoffs } = this.#parts;
    yield this.#keep(new ToolCallRequestEvent({ content: calls, source, modelsUsage }));
    let executed: readonly ExecutedCall[] = [];
    try {
      executed = yield* this.#keepAll(
        executeCalls(calls, { workbenches: workbench, handoffs, signal: this.#signal }),
      );
    } finally {
      // Needed even if the turn ends here, because providers refuse a conversation in which a call has no result.
      const isComplete = executed.length === calls.length;
      const content = isComplete ? executed.map(({ result }) => result) : calls.map(interrupted);
      await modelContext.addMessage({ type: 'FunctionExecutionResultMessage', content });
    }
    const content = executed.map(({ result }) => result);
    yield this.#keep(new ToolCallExecutionEvent({ content, source }));
    return executed;
  }

  /** Lets the model sum up the last tool results. */
  async *#reflect(): AsyncGenerator<ChatItem, Response> {
    this.#messageId = randomUUID();
    const reply = yield* this.#ask({ toolChoice: 'none' }, true);
    if (typeof reply.content !== 'string') {
      throw new RuntimeError('Reflect on tool use produced no valid text response.');
    }
    return this.#respond(await this.#answer(reply.content, reply, null));
  }

  /** Makes the final message from the model's text. */
  async #answer(
    content: string,
    { usage: modelsUsage }: CreateResult,
    formatString: string | null,
  ): Promise<BaseChatMessage> {
    const { name: source, outputContent } = this.#parts;
    const fields = { source, modelsUsage, id: this.#messageId };
    return outputContent === undefined
      ? new TextMessage({ ...fields, content })
      : await structuredMessage(content, outputContent.contentType, { ...fields, formatString });
  }

  #respond(chatMessage: BaseChatMessage): Response {
    return { chatMessage, innerMessages: this.#inner };
  }

  async #offeredTools(): Promise<readonly ToolSchema[]> {
    const { workbench, handoffs } = this.#parts;
    const offered = await Promise.all(workbench.map((bench) => bench.listTools()));
    return [...offered.flat(), ...handoffs.map(handoffSchema)];
  }

  #keep<TItem extends ChatItem>(item: TItem): TItem {
    this.#inner.push(item);
    return item;
  }

  async *#keepAll<TResult>(
    run: AsyncGenerator<ChatItem, TResult>,
  ): AsyncGenerator<ChatItem, TResult> {
    try {
      for (;;) {
        const step = await run.next();
        if (step.done === true) return step.value;
        yield this.#keep(step.value);
      }
    } finally {
      // Needed only when the reader has left early.
      await run.return(undefined as TResult);
    }
  }
}

/** The result of a call that the end of the turn interrupted. */
function interrupted({ id: callId, name }: FunctionCall): FunctionExecutionResult {
  return { content: 'The call was interrupted.', name, callId, isError: true };
}
