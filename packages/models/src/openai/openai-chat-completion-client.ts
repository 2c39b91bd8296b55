import { OpenAI } from 'openai';
import type {
  ChatCompletionClient,
  CreateOptions,
  CreateResult,
  ModelInfo,
  RequestUsage,
} from '../client.ts';
import { ModelClientError, throwIfCancelled } from '../errors.ts';
import type { LLMMessage } from '../messages.ts';
import { UsageMeter } from '../usage-meter.ts';
import { modelInfoOf } from './model-family.ts';
import { toModelClientError } from './openai-error.ts';
import { StreamedAnswer } from './streamed-answer.ts';
import { toWireMessages } from './wire-messages.ts';
import { toWireOptions } from './wire-request.ts';
import { readCompletion, toCreateResult } from './wire-result.ts';

/** Options of {@link OpenAIChatCompletionClient}. */
export interface OpenAIChatCompletionClientOptions {
  readonly model: string;
  /** @defaultValue the environment variable `OPENAI_API_KEY` */
  readonly apiKey?: string | undefined;
  /** @defaultValue the environment variable `OPENAI_BASE_URL`, else OpenAI's own */
  readonly baseURL?: string | undefined;
  /** @defaultValue the environment variable `OPENAI_ORG_ID` */
  readonly organization?: string | undefined;
  /**
   * What the model can do. Name it for a model the library does not know.
   * @defaultValue read from the name of the model
   */
  readonly modelInfo?: ModelInfo | undefined;
  /**
   * How often a call is tried again after 408, 409, 429, 5xx or a failed connection. At least 0.
   * @defaultValue 2
   */
  readonly maxRetries?: number | undefined;
  /**
   * How long one try may take. At least 1.
   * @defaultValue 600_000
   */
  readonly timeoutMs?: number | undefined;
  /**
   * Whether messages carry the name of who wrote them. Some servers reject the field.
   * @defaultValue true
   */
  readonly includeNames?: boolean | undefined;
  /** Fields of every request, such as `temperature`; those of a call win. */
  readonly createArgs?: Readonly<Record<string, unknown>> | undefined;
  /** A ready client of the `openai` package, such as its `AzureOpenAI`; the connection options above do not apply to it. */
  readonly client?: OpenAI;
}

/** The options a client was made with, but for those that may hold a key. */
export type OpenAISettings = Omit<OpenAIChatCompletionClientOptions, 'apiKey' | 'client'>;

type WireRequest = OpenAI.ChatCompletionCreateParamsNonStreaming;

/**
 * Talks to any server that speaks OpenAI's chat-completions protocol.
 *
 * @example
 * ```ts
 * const client = new OpenAIChatCompletionClient({
 *   model: 'gpt-4o-mini',
 *   baseURL: 'http://127.0.0.1:4010/v1',
 *   apiKey: 'none',
 * });
 * const { content } = await client.create([
 *   { type: 'UserMessage', content: 'Say hello', source: 'user' },
 * ]);
 * ```
 */
export class OpenAIChatCompletionClient implements ChatCompletionClient {
  readonly model: string;
  readonly modelInfo: ModelInfo;
  readonly settings: OpenAISettings;
  /** Whether it was given a ready client, about which {@link settings} tell nothing. */
  readonly hasReadyClient: boolean;
  readonly #client: OpenAI;
  readonly #includeNames: boolean;
  readonly #createArgs: Readonly<Record<string, unknown>>;
  readonly #meter = new UsageMeter();

  constructor({ apiKey, client, ...settings }: OpenAIChatCompletionClientOptions) {
    const {
      model,
      modelInfo = modelInfoOf(model),
      includeNames = true,
      createArgs = {},
    } = settings;
    this.model = model;
    this.modelInfo = modelInfo;
    this.settings = settings;
    this.hasReadyClient = client !== undefined;
    this.#includeNames = includeNames;
    this.#createArgs = createArgs;
    this.#client = client ?? connect({ ...settings, apiKey });
  }

  /** Asks the model. @throws {@link ModelClientError} */
  async create(
    messages: readonly LLMMessage[],
    options: CreateOptions = {},
  ): Promise<CreateResult> {
    throwIfCancelled(options.signal);
    const request = this.#request(messages, options);
    try {
      const completion = await this.#client.chat.completions.create(request, ofItsOwn(options));
      return this.#count(toCreateResult(readCompletion(completion)));
    } catch (error) {
      throw toModelClientError(error);
    }
  }

  /** Asks the model and yields its text as it comes, then the result. @throws {@link ModelClientError} */
  async *createStream(
    messages: readonly LLMMessage[],
    options: CreateOptions = {},
  ): AsyncGenerator<string | CreateResult, void> {
    throwIfCancelled(options.signal);
    const request = {
      ...this.#request(messages, options),
      stream: true as const,
      // Without it a stream reports no usage, and no budget could ever be reached.
      stream_options: { include_usage: true },
    };
    const answer = new StreamedAnswer();
    try {
      const stream = await this.#client.chat.completions.create(request, ofItsOwn(options));
      for await (const chunk of stream) {
        const text = answer.add(chunk);
        if (text !== '') yield text;
      }
      // The library ends an aborted stream as if it were complete.
      throwIfCancelled(options.signal);
      yield this.#count(toCreateResult(answer.finish()));
    } catch (error) {
      throw toModelClientError(error);
    }
  }

  actualUsage(): RequestUsage {
    return this.#meter.actual;
  }

  totalUsage(): RequestUsage {
    return this.#meter.total;
  }

  #request(messages: readonly LLMMessage[], options: CreateOptions): WireRequest {
    return {
      ...this.#createArgs,
      ...toWireOptions(options, this.modelInfo),
      model: this.model,
      messages: toWireMessages(messages, {
        modelInfo: this.modelInfo,
        includeNames: this.#includeNames,
      }),
    };
  }

  #count(result: CreateResult): CreateResult {
    this.#meter.add(result.usage, result.cached);
    return result;
  }
}

function connect({
  apiKey,
  baseURL,
  organization,
  maxRetries = 2,
  timeoutMs = 600_000,
}: OpenAIChatCompletionClientOptions): OpenAI {
  try {
    return new OpenAI({
      apiKey,
      baseURL,
      organization,
      maxRetries: integer('maxRetries', maxRetries, 0),
      timeout: integer('timeoutMs', timeoutMs, 1),
      // Whatever goes wrong is thrown; a library does not write to the console.
      logLevel: 'off',
    });
  } catch (error) {
    if (error instanceof ModelClientError) throw error;
    throw new ModelClientError(
      'INVALID_OPTION',
      "option 'apiKey': expected a key here or in OPENAI_API_KEY (any text for a server that needs none), received nothing",
      { cause: error },
    );
  }
}

function integer(option: string, value: number, min: number): number {
  if (Number.isSafeInteger(value) && value >= min) return value;
  throw new ModelClientError(
    'INVALID_OPTION',
    `option '${option}': expected an integer of at least ${min}, received ${String(value)}`,
  );
}

/** The library never takes its listener off a signal, so that each call gets one that dies with it. */
function ofItsOwn({ signal }: CreateOptions): { readonly signal?: AbortSignal } {
  return signal === undefined ? {} : { signal: AbortSignal.any([signal]) };
}
