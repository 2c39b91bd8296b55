import type {
  ChatCompletionClient,
  CreateOptions,
  CreateResult,
  FinishReason,
  ModelInfo,
  RequestUsage,
} from '../client.ts';
import { ModelClientError, throwIfCancelled, throwIfClosed } from '../errors.ts';
import type { FunctionCall, LLMMessage } from '../messages.ts';
import { UsageMeter } from '../usage-meter.ts';
import { countPromptWords, countWords, splitWords } from './words.ts';

/** A ready result of a {@link ReplayChatCompletionClient}. */
export interface ReplayResult {
  readonly content: string | readonly FunctionCall[];
  /** @defaultValue 0 and 0 */
  readonly usage?: RequestUsage;
  readonly thought?: string | null;
  /** @defaultValue 'function_calls' for function calls, else 'stop' */
  readonly finishReason?: FinishReason;
  /** @defaultValue false */
  readonly cached?: boolean;
  /**
   * What a stream yields before the result.
   * @defaultValue []
   */
  readonly chunks?: readonly string[];
  /**
   * Whether a stream ends without the result, as a broken provider's does.
   * @defaultValue false
   */
  readonly omitResult?: boolean;
}

/** What a call is answered with: a text, a ready result, or an error that is thrown. */
export type Reply = string | ReplayResult | Error;

/** A call a {@link ReplayChatCompletionClient} got. */
export interface ReplayCall {
  readonly messages: readonly LLMMessage[];
  readonly options: CreateOptions;
  readonly isStream: boolean;
}

/** Options of {@link ReplayChatCompletionClient}. */
export interface ReplayChatCompletionClientOptions {
  /** @defaultValue 'replay' */
  readonly model?: string;
  /** @defaultValue family `unknown`, nothing supported */
  readonly modelInfo?: ModelInfo;
}

const incapable: ModelInfo = {
  vision: false,
  functionCalling: false,
  jsonOutput: false,
  structuredOutput: false,
  family: 'unknown',
};

/**
 * Answers calls from a script, one reply a call, in order.
 *
 * May be shared by many agents. A text counts its words as usage and passes for a cached answer; so does AutoGen's.
 *
 * @example
 * ```ts
 * const client = new ReplayChatCompletionClient(['A fine draft.', 'TERMINATE']);
 * const { content, usage } = await client.create([
 *   { type: 'UserMessage', content: 'Write a draft', source: 'user' },
 * ]);
 * content; // => 'A fine draft.'
 * usage; // => { promptTokens: 3, completionTokens: 3 }
 * ```
 */
export class ReplayChatCompletionClient implements ChatCompletionClient {
  readonly model: string;
  readonly modelInfo: ModelInfo;
  /** The whole script, what was taken of it included. */
  readonly replies: readonly Reply[];
  readonly #calls: ReplayCall[] = [];
  readonly #meter = new UsageMeter();
  #next = 0;
  #isClosed = false;

  constructor(
    replies: Iterable<Reply>,
    { model = 'replay', modelInfo = incapable }: ReplayChatCompletionClientOptions = {},
  ) {
    this.replies = [...replies];
    this.model = model;
    this.modelInfo = modelInfo;
  }

  /** All calls so far, including streams and calls that were answered with an error. */
  get calls(): readonly ReplayCall[] {
    return this.#calls;
  }

  async create(
    messages: readonly LLMMessage[],
    options: CreateOptions = {},
  ): Promise<CreateResult> {
    return this.#answer(messages, this.#take(messages, options, false));
  }

  async *createStream(
    messages: readonly LLMMessage[],
    options: CreateOptions = {},
  ): AsyncGenerator<string | CreateResult, void> {
    const reply = this.#take(messages, options, true);
    for (const chunk of chunksOf(reply)) {
      throwIfCancelled(options.signal);
      yield chunk;
    }
    const result = this.#answer(messages, reply);
    if (typeof reply === 'string' || !reply.omitResult) yield result;
  }

  /** Closes the client: later calls are refused with `CLOSED`. Idempotent. */
  async close(): Promise<void> {
    this.#isClosed = true;
  }

  actualUsage(): RequestUsage {
    return this.#meter.actual;
  }

  totalUsage(): RequestUsage {
    return this.#meter.total;
  }

  /** Begins the script again and forgets the usage; {@link calls} are kept. */
  reset(): void {
    this.#next = 0;
    this.#meter.reset();
  }

  #take(
    messages: readonly LLMMessage[],
    options: CreateOptions,
    isStream: boolean,
  ): string | ReplayResult {
    throwIfClosed(this.#isClosed);
    throwIfCancelled(options.signal);
    this.#calls.push({ messages: [...messages], options, isStream });
    const reply = this.replies[this.#next];
    if (reply === undefined) {
      throw new ModelClientError('REPLAY_EXHAUSTED', 'No more mock responses available');
    }
    this.#next += 1;
    if (reply instanceof Error) throw reply;
    return reply;
  }

  #answer(messages: readonly LLMMessage[], reply: string | ReplayResult): CreateResult {
    const words = countPromptWords(messages);
    const result = typeof reply === 'string' ? textResult(reply, words) : readyResult(reply);
    // A ready result keeps the usage it names; the client's own sums count the prompt's words.
    this.#meter.add({ ...result.usage, promptTokens: words }, result.cached);
    return result;
  }
}

function textResult(content: string, promptTokens: number): CreateResult {
  const usage = { promptTokens, completionTokens: countWords(content) };
  return { finishReason: 'stop', content, usage, cached: true };
}

function readyResult({
  content,
  usage,
  thought,
  finishReason,
  cached,
}: ReplayResult): CreateResult {
  return {
    finishReason: finishReason ?? (typeof content === 'string' ? 'stop' : 'function_calls'),
    content,
    usage: usage ?? { promptTokens: 0, completionTokens: 0 },
    cached: cached ?? false,
    ...(thought !== undefined && { thought }),
  };
}

function chunksOf(reply: string | ReplayResult): readonly string[] {
  if (typeof reply !== 'string') return reply.chunks ?? [];
  const words = splitWords(reply);
  return words.map((word, index) => (index === words.length - 1 ? word : `${word} `));
}
