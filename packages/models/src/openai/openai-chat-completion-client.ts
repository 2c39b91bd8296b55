import type { OpenAI } from 'openai';
import { boundedFetch } from '../calls/bounded-fetch.ts';
import { type CleanText, secretKey, textCleaner } from '../calls/clean-text.ts';
import { ModelCall } from '../calls/model-call.ts';
import { withRetries } from '../calls/retries.ts';
import type {
  ChatCompletionClient,
  CreateOptions,
  CreateResult,
  ModelInfo,
  RequestUsage,
} from '../client.ts';
import { ModelClientError, throwIfCancelled, throwIfClosed } from '../errors.ts';
import type { LLMMessage } from '../messages.ts';
import { UsageMeter } from '../usage-meter.ts';
import { type BaseURL, readBaseURL } from './base-url.ts';
import { type CreateArgOptions, splitCreateArgs } from './create-args.ts';
import { modelInfoOf } from './model-family.ts';
import { OpenAIConnection, throwIfError } from './openai-connection.ts';
import { toModelClientError } from './openai-error.ts';
import { StreamedAnswer } from './streamed-answer.ts';
import { chunksOf } from './streamed-chunks.ts';
import { toWireMessages } from './wire-messages.ts';
import { toWireOptions } from './wire-request.ts';
import { readCompletion, toCreateResult } from './wire-result.ts';

/** Options of {@link OpenAIChatCompletionClient}. */
export interface OpenAIChatCompletionClientOptions extends CreateArgOptions {
  readonly model: string;
  /** @defaultValue the environment variable `OPENAI_API_KEY` */
  readonly apiKey?: string | undefined;
  /**
   * A user name and password in it are sent as basic authentication, instead of the key.
   * @defaultValue the environment variable `OPENAI_BASE_URL`, else OpenAI's own
   */
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
   * How long a call may take, from the first try to the last byte: retries, waits between them and the whole body
   * included, and for a stream the time its reader takes. At least 1; more than 24 days count as 24 days.
   * @defaultValue 600_000
   */
  readonly timeoutMs?: number | undefined;
  /**
   * How many bytes an answer may have, unpacked. At least 1.
   * @defaultValue 67_108_864
   */
  readonly maxResponseBytes?: number | undefined;
  /**
   * Whether messages carry the name of who wrote them. Some servers reject the field.
   * @defaultValue true
   */
  readonly includeNames?: boolean | undefined;
  /** Further fields of every request, under their names in the protocol; they win over the options, those of a call over both. */
  readonly createArgs?: Readonly<Record<string, unknown>> | undefined;
  /**
   * A ready client of the `openai` package, such as its `AzureOpenAI`. The connection options above do not apply to it:
   * its own time-out is that of the whole call, its own retries are made, and of its answers only the events of streams are bounded.
   */
  readonly client?: OpenAI;
}

/** The options a client was made with, but for those that may hold a key; the base URL is without user name and password. */
export type OpenAISettings = Omit<
  OpenAIChatCompletionClientOptions,
  'apiKey' | 'client' | keyof CreateArgOptions
>;

const optionNames: Readonly<
  Record<Exclude<keyof OpenAIChatCompletionClientOptions, keyof CreateArgOptions>, true>
> = {
  model: true,
  apiKey: true,
  baseURL: true,
  organization: true,
  modelInfo: true,
  maxRetries: true,
  timeoutMs: true,
  maxResponseBytes: true,
  includeNames: true,
  createArgs: true,
  client: true,
};

const OPENAI = 'https://api.openai.com/v1';
const LONGEST_TIMER_MS = 2_147_483_647;

type WireRequest = OpenAI.ChatCompletionCreateParamsNonStreaming;

/**
 * Talks to any server that speaks OpenAI's chat-completions protocol.
 *
 * @example
 * ```ts
 * const client = new OpenAIChatCompletionClient({ model: 'gpt-4o-mini', timeoutMs: 60_000 });
 * const { content } = await client.create([
 *   { type: 'UserMessage', content: 'Say hello', source: 'user' },
 * ]);
 * ```
 */
export class OpenAIChatCompletionClient implements ChatCompletionClient {
  readonly model: string;
  readonly modelInfo: ModelInfo;
  readonly settings: OpenAISettings;
  /** Whether it wraps a ready client, which {@link settings} does not describe. */
  readonly hasReadyClient: boolean;
  readonly #client: OpenAI;
  readonly #includeNames: boolean;
  readonly #createArgs: Readonly<Record<string, unknown>>;
  #clean: CleanText;
  readonly #meter = new UsageMeter();
  #isClosed = false;

  constructor(options: OpenAIChatCompletionClientOptions) {
    const { apiKey, client, ...settings } = splitCreateArgs<typeof options>(options, optionNames);
    const {
      model,
      modelInfo = modelInfoOf(model),
      includeNames = true,
      createArgs = {},
    } = settings;
    this.model = model;
    this.modelInfo = modelInfo;
    this.hasReadyClient = client !== undefined;
    this.#includeNames = includeNames;
    this.#createArgs = createArgs;
    const base = readBaseURL(client?.baseURL ?? settings.baseURL);
    this.#client = client ?? connect({ ...settings, apiKey }, base);
    this.settings =
      settings.baseURL === undefined || client !== undefined
        ? settings
        : { ...settings, baseURL: base.url };
    this.#clean = textCleaner([...secretKey(this.#client.apiKey), ...base.secrets]);
  }

  /** Asks the model. @throws {@link ModelClientError} */
  async create(
    messages: readonly LLMMessage[],
    options: CreateOptions = {},
  ): Promise<CreateResult> {
    throwIfClosed(this.#isClosed);
    throwIfCancelled(options.signal);
    const request = this.#request(messages, options);
    const call = this.#call(options);
    try {
      const completion = await withRetries(call, this.#client.maxRetries, async () =>
        this.#client.chat.completions.create(request, once(call)),
      );
      throwIfError(completion);
      return this.#count(toCreateResult(readCompletion(completion)));
    } catch (error) {
      throw call.error ?? toModelClientError(error, this.#clean);
    } finally {
      call.end();
    }
  }

  /** Asks the model and yields its text as it comes, then the result. @throws {@link ModelClientError} */
  async *createStream(
    messages: readonly LLMMessage[],
    options: CreateOptions = {},
  ): AsyncGenerator<string | CreateResult, void> {
    throwIfClosed(this.#isClosed);
    throwIfCancelled(options.signal);
    const request = {
      ...this.#request(messages, options),
      stream: true as const,
      // Without it a stream reports no usage, and no budget could ever be reached.
      stream_options: { include_usage: true },
    };
    const answer = new StreamedAnswer();
    const call = this.#call(options);
    try {
      const response = await withRetries(call, this.#client.maxRetries, async () =>
        this.#client.chat.completions.create(request, once(call)).asResponse(),
      );
      const chunks = chunksOf(response);
      for (;;) {
        const chunk = await call.race(chunks.next());
        if (chunk.done) break;
        const text = answer.add(chunk.value);
        if (text !== '') yield text;
      }
      yield this.#count(toCreateResult(answer.finish()));
    } catch (error) {
      throw call.error ?? toModelClientError(error, this.#clean);
    } finally {
      call.end();
    }
  }

  /**
   * A client that asks another model over the same connection, with the same fields in every request. It counts its own usage.
   * What the model can do is read from its name; of a name that tells nothing, the given `modelInfo` holds.
   */
  withModel(model: string): OpenAIChatCompletionClient {
    const { modelInfo: given, ...settings } = this.settings;
    const isKnown = modelInfoOf(model).family !== 'unknown';
    const modelInfo = isKnown ? undefined : given;
    const client = this.#client;
    const other = new OpenAIChatCompletionClient({ ...settings, model, modelInfo, client });
    other.#clean = this.#clean;
    return other;
  }

  /** Closes the client: later calls are refused with `CLOSED`, calls under way continue. Idempotent. */
  async close(): Promise<void> {
    this.#isClosed = true;
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

  #call({ signal }: CreateOptions): ModelCall {
    return new ModelCall({ signal, timeoutMs: Math.min(this.#client.timeout, LONGEST_TIMER_MS) });
  }

  #count(result: CreateResult): CreateResult {
    this.#meter.add(result.usage, result.cached);
    return result;
  }
}

function connect(
  {
    apiKey,
    organization,
    maxRetries = 2,
    timeoutMs = 600_000,
    maxResponseBytes = 67_108_864,
  }: OpenAIChatCompletionClientOptions,
  { url, authorization }: BaseURL,
): OpenAI {
  try {
    return new OpenAIConnection({
      apiKey,
      // Nothing else would keep the library from reading the environment again.
      baseURL: url ?? OPENAI,
      organization,
      maxRetries: integer('maxRetries', maxRetries, 0),
      timeout: integer('timeoutMs', timeoutMs, 1),
      fetch: boundedFetch(integer('maxResponseBytes', maxResponseBytes, 1)),
      ...(authorization !== undefined && { defaultHeaders: { Authorization: authorization } }),
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

/** One try of a call. Its own waits for another one could not be ended. */
function once(call: ModelCall): { signal: AbortSignal; maxRetries: number } {
  return { signal: call.signal, maxRetries: 0 };
}
