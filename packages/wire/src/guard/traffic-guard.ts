import type { Breaker, Conversation, SignalInput } from '@teamfuse/core';
import { fieldsOf } from '../fields.ts';
import type { WireFormat, WireRequest } from '../formats/format.ts';
import { formatOf } from '../formats/index.ts';
import { type Caller, type Joined, Threads } from '../identity/threads.ts';
import type { CheckedOptions } from './check-options.ts';
import { ModelExchange, promptTokens } from './model-exchange.ts';
import { reasonOf, refuse } from './refusal.ts';
import { NewsReader } from './signals.ts';
import { watchStream, watchWhole } from './watch-answer.ts';

/** A request to a model as it came. */
export interface Traffic {
  readonly url: string;
  readonly headers: Headers;
  readonly body: string;
  readonly signal?: AbortSignal | undefined;
}

/** Sends a request on, with another body if one is given. */
export type Forward = (body: string) => Promise<Response>;

const LIMITS = { maxConversations: 1_000, maxPlaces: 200_000 };

/** Guards requests to models: tells whose conversation each is, reports what is new in it, asks, and reads the answer. */
export class TrafficGuard {
  readonly #breaker: Breaker;
  readonly #options: CheckedOptions;
  readonly #threads: Threads;
  readonly #readers = new WeakMap<Conversation, NewsReader>();

  constructor(breaker: Breaker, options: CheckedOptions) {
    this.#breaker = breaker;
    this.#options = options;
    this.#threads = new Threads(() => crypto.randomUUID(), LIMITS);
  }

  /** Answers a request: with a refusal, or with what `forward` brings. */
  async handle(traffic: Traffic, forward: Forward, scope = ''): Promise<Response> {
    const format = formatOf(traffic.url);
    const body = format && parsed(traffic.body);
    const request = body && format?.readRequest(body);
    if (!format || !body || !request) return forward(traffic.body);
    let exchange: ModelExchange | Response | undefined;
    try {
      exchange = await this.#begin(format, request, traffic, scope);
    } catch (error) {
      traffic.signal?.throwIfAborted();
      this.#options.onError(error);
      if (this.#options.failMode === 'closed') {
        return refuse(format, request, 'the guard failed, and failMode is closed', this.#options);
      }
    }
    if (exchange instanceof Response) return exchange;
    if (exchange === undefined) return forward(traffic.body);
    const asksUsage = this.#options.streamUsage && needsUsage(format, request, body);
    return send(
      format,
      request,
      exchange,
      () => forward(asksUsage ? withUsage(body) : traffic.body),
      asksUsage,
    );
  }

  async #begin(
    format: WireFormat,
    request: WireRequest,
    { headers, signal }: Traffic,
    scope: string,
  ): Promise<ModelExchange | Response> {
    const joined = this.#threads.join(request, this.#callerOf(request, headers, scope));
    const conversation = this.#breaker.conversation(joined.conversation);
    const report = (signal: SignalInput): void => this.#report(conversation, signal);
    const reader = this.#readerOf(conversation);
    for (const news of joined.news) report(reader.read(news));
    const requestId = crypto.randomUUID();
    const asked = {
      kind: 'model-request',
      agent: joined.agent,
      model: request.model,
      requestId,
      inputTokens: promptTokens(request),
      ...(request.maxOutputTokens !== undefined && { maxOutputTokens: request.maxOutputTokens }),
    } as const;
    const admission = await this.#asked(joined, conversation.admit(asked, { signal }));
    if (!admission.isAdmitted) {
      joined.ended(undefined);
      return refuse(format, request, reasonOf(admission.trip), this.#options);
    }
    const { permit } = admission;
    return new ModelExchange(conversation, joined, request, { requestId, permit, report });
  }

  async #asked<T>(joined: Joined, admission: T | PromiseLike<T>): Promise<T> {
    try {
      return await admission;
    } catch (error) {
      joined.ended(undefined);
      throw error;
    }
  }

  #callerOf(request: WireRequest, headers: Headers, scope: string): Caller {
    const { agent, conversation } = this.#options;
    const told = (given: typeof agent): string | undefined =>
      typeof given === 'function' ? given(request) : given;
    return {
      scope,
      agent: headers.get(AGENT_HEADER) ?? told(agent),
      conversation: headers.get(CONVERSATION_HEADER) ?? told(conversation),
    };
  }

  #readerOf(conversation: Conversation): NewsReader {
    const known = this.#readers.get(conversation);
    if (known !== undefined) return known;
    const reader = new NewsReader();
    this.#readers.set(conversation, reader);
    return reader;
  }

  #report(conversation: Conversation, signal: SignalInput): void {
    try {
      conversation.observe(signal);
    } catch (error) {
      this.#options.onError(error);
    }
  }
}

/** Headers by which a caller names the agent and the conversation. They are not sent on. */
export const AGENT_HEADER = 'x-teamfuse-agent';
export const CONVERSATION_HEADER = 'x-teamfuse-conversation';

async function send(
  format: WireFormat,
  request: WireRequest,
  exchange: ModelExchange,
  forward: () => Promise<Response>,
  hidesUsage: boolean,
): Promise<Response> {
  let response: Response;
  try {
    response = await forward();
  } catch (error) {
    exchange.failed(error);
    throw error;
  }
  if (!response.ok) {
    const { status } = response;
    exchange.failed(Object.assign(new Error(`HTTP ${status}`), { code: String(status) }));
    return response;
  }
  const isStream = response.headers.get('content-type')?.includes('event-stream');
  if (request.isStreamed && isStream) return watchStream(response, format, exchange, hidesUsage);
  return watchWhole(response, format, exchange);
}

function parsed(body: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return fieldsOf(JSON.parse(body));
  } catch {
    return undefined;
  }
}

function needsUsage(
  format: WireFormat,
  { isStreamed }: WireRequest,
  { stream_options }: Readonly<Record<string, unknown>>,
): boolean {
  const asks = fieldsOf(stream_options).include_usage === true;
  return isStreamed && format.id === 'chat-completions' && !asks;
}

function withUsage(body: Readonly<Record<string, unknown>>): string {
  const stream_options = { ...fieldsOf(body.stream_options), include_usage: true };
  return JSON.stringify({ ...body, stream_options });
}
