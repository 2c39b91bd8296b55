import {
  type ComponentClass,
  type ComponentModel,
  componentModel,
  type JsonObject,
  type JsonValue,
  ValueError,
} from '@teamfuse/agentchat';
import {
  type ChatCompletionClient,
  type CreateOptions,
  type CreateResult,
  type LLMMessage,
  type ModelInfo,
  ReplayChatCompletionClient,
  type ReplayResult,
  type RequestUsage,
} from '@teamfuse/models';
import { llmMessageToJson } from '../messages/llm-message.ts';
import type { ModelSpec, ReplySpec } from '../vector.ts';

const capable: JsonObject = {
  vision: true,
  function_calling: true,
  json_output: true,
  family: 'gpt-4o',
  structured_output: true,
  multiple_system_messages: true,
};

const provider = 'autogen_ext.models.replay.ReplayChatCompletionClient';

/** A scripted model that tells what it was asked. */
export class VectorModel implements ChatCompletionClient {
  static readonly component: ComponentClass<VectorModel> = {
    provider,
    load: ({ chat_completions, model_info }) =>
      new VectorModel('loaded', {
        replies: (chat_completions as DumpedReply[]).map(loadedReply),
        model_info: model_info as JsonObject,
      }),
  };
  readonly model: string;
  readonly modelInfo: ModelInfo;
  readonly #spec: ModelSpec;
  readonly #replay: ReplayChatCompletionClient;
  readonly #onCall: (call: JsonObject) => void;

  constructor(name: string, spec: ModelSpec, onCall: (call: JsonObject) => void = () => {}) {
    const info = spec.model_info ?? capable;
    this.model = name;
    this.modelInfo = {
      vision: info.vision === true,
      functionCalling: info.function_calling === true,
      jsonOutput: info.json_output === true,
      structuredOutput: info.structured_output === true,
      family: String(info.family),
      multipleSystemMessages: info.multiple_system_messages === true,
    };
    this.#spec = spec;
    this.#replay = new ReplayChatCompletionClient(spec.replies.map(reply), {
      modelInfo: this.modelInfo,
    });
    this.#onCall = onCall;
  }

  async create(
    messages: readonly LLMMessage[],
    options: CreateOptions = {},
  ): Promise<CreateResult> {
    this.#record(messages, options, false);
    try {
      return await this.#replay.create(messages, options);
    } catch (error) {
      throw exhausted(error);
    }
  }

  async *createStream(
    messages: readonly LLMMessage[],
    options: CreateOptions = {},
  ): AsyncGenerator<string | CreateResult, void> {
    this.#record(messages, options, true);
    try {
      yield* this.#replay.createStream(messages, options);
    } catch (error) {
      throw exhausted(error);
    }
  }

  actualUsage(): RequestUsage {
    return this.#replay.actualUsage();
  }

  totalUsage(): RequestUsage {
    return this.#replay.totalUsage();
  }

  /** Begins the script again. */
  reset(): void {
    this.#replay.reset();
  }

  dumpComponent(): ComponentModel {
    return componentModel(
      { provider, componentType: 'replay_chat_completion_client' },
      {
        chat_completions: this.#spec.replies.map(dumpedReply),
        model_info: this.#spec.model_info ?? capable,
      },
    );
  }

  #record(messages: readonly LLMMessage[], options: CreateOptions, stream: boolean): void {
    const { tools = [], toolChoice = 'auto', jsonOutput = false } = options;
    this.#onCall({
      model: this.model,
      messages: messages.map(llmMessageToJson),
      tools: tools.map(({ name }) => name),
      tool_choice: toolChoice as JsonValue,
      json_output: typeof jsonOutput === 'object' ? jsonOutput.name : null,
      stream,
    });
  }
}

/** The recorded library throws an ordinary error when the script is over. */
function exhausted(error: unknown): unknown {
  const isOver = error instanceof Error && 'code' in error && error.code === 'REPLAY_EXHAUSTED';
  return isOver ? new ValueError(error.message, { cause: error }) : error;
}

function reply(spec: ReplySpec): string | ReplayResult {
  if (typeof spec === 'string') return spec;
  const { content, usage, thought, finish_reason, cached, chunks, no_result } = spec;
  return {
    content,
    ...(usage && { usage: { promptTokens: usage[0], completionTokens: usage[1] } }),
    ...(thought !== undefined && { thought }),
    ...(finish_reason !== undefined && {
      finishReason: finish_reason as NonNullable<ReplayResult['finishReason']>,
    }),
    ...(cached !== undefined && { cached }),
    // Some chunks are no texts on purpose.
    ...(chunks !== undefined && { chunks: chunks as readonly string[] }),
    ...(no_result !== undefined && { omitResult: no_result }),
  };
}

type DumpedReply =
  | string
  | (Omit<Exclude<ReplySpec, string>, 'usage'> & {
      readonly usage: { readonly prompt_tokens: number; readonly completion_tokens: number };
    });

function dumpedReply(spec: ReplySpec): DumpedReply {
  if (typeof spec === 'string') return spec;
  const { content, usage: [prompt_tokens, completion_tokens] = [0, 0], ...rest } = spec;
  const finish_reason = typeof content === 'string' ? 'stop' : 'function_calls';
  return {
    finish_reason,
    cached: false,
    content,
    usage: { prompt_tokens, completion_tokens },
    ...rest,
  };
}

function loadedReply(reply: DumpedReply): ReplySpec {
  if (typeof reply === 'string') return reply;
  const { prompt_tokens, completion_tokens } = reply.usage;
  return { ...reply, usage: [prompt_tokens, completion_tokens] };
}
