import type { Breaker, Conversation, SignalInput } from '@teamfuse/core';
import { atOnce } from '@teamfuse/core/kit';
import type { Fields } from '../fields.ts';
import type { WireFormat, WireRequest } from '../formats/format.ts';
import { formatOf } from '../formats/index.ts';
import { hashOf } from '../identity/chain.ts';
import { type Caller, type Joined, Threads } from '../identity/threads.ts';
import { boundedBody, type CheckedBounds } from './bounds.ts';
import { CallerMistake } from './caller-mistake.ts';
import type { CheckedOptions } from './check-options.ts';
import { ModelExchange, promptTokens } from './model-exchange.ts';
import { refuse, refuseMistake } from './refusal.ts';
import { Refusals, type Refused } from './refusals.ts';
import { NewsReader } from './signals.ts';
import { type AskedUsage, type Forward, StreamUsage } from './stream-usage.ts';
import { watchStream, watchWhole } from './watch-answer.ts';

/** A request to a model as it came. */
export interface Traffic {
  readonly url: string;
  readonly headers: Headers;
  /** The body as text. Rejects if it cannot be read. */
  readonly text: () => Promise<string>;
  readonly signal?: AbortSignal | undefined;
  /** Whose traffic it is, such as an API key's: conversations of different scopes never meet. @defaultValue all the same */
  readonly scope?: string;
  /** A name for the API key that pays, never the key itself. */
  readonly key?: string | undefined;
  /** The team or the customer for whom the call is made. */
  readonly team?: string | undefined;
  /** Within it the breaker hears of what a request brings, and may ask its judge. */
  readonly reporting?: <T>(report: () => T, request: WireRequest) => T;
  /** Is told which conversation the request belongs to. */
  readonly joined?: (conversation: Conversation) => void;
}

const LIMITS = { maxConversations: 1_000, maxPlaces: 200_000 };

/** Guards requests to models: tells whose conversation each is, reports what is new in it, asks, and reads the answer. */
export class TrafficGuard {
  readonly #breaker: Breaker;
  readonly #options: CheckedOptions;
  readonly #threads: Threads;
  readonly #usage: StreamUsage;
  readonly #refusals: Refusals;
  readonly #readers = new WeakMap<Conversation, NewsReader>();

  constructor(breaker: Breaker, options: CheckedOptions) {
    this.#breaker = breaker;
    this.#options = options;
    this.#refusals = new Refusals(options);
    this.#usage = new StreamUsage(options.streamUsage);
    this.#threads = new Threads(() => crypto.randomUUID(), LIMITS);
  }

  /** How much a request may hold. */
  get bounds(): CheckedBounds {
    return this.#options.bounds;
  }

  /** Answers a request: with a refusal, or with what `forward` brings. */
  async handle(traffic: Traffic, forward: Forward): Promise<Response> {
    const format = formatOf(traffic.url);
    if (format === undefined) return forward();
    let text = '';
    let body: Fields | undefined;
    let request: WireRequest | undefined;
    let begun: ModelExchange | Response | undefined;
    try {
      text = await traffic.text();
      body = boundedBody(text, this.bounds);
      request = format.readRequest(body);
      begun = request && (await this.#begin({ format, request, body }, traffic));
    } catch (error) {
      traffic.signal?.throwIfAborted();
      if (error instanceof CallerMistake) return refuseMistake(format, error);
      this.#options.onError(error);
      if (this.#options.failMode === 'closed') return this.#fail(format, request);
    }
    if (begun instanceof Response) return begun;
    if (!body || !request || !begun) return forward();
    const usage = this.#usage.of(format, request, body, traffic.url);
    const sent = (): Promise<Response> => usage.sent(text, forward);
    return send(format, request, begun, { sent, signal: traffic.signal, usage });
  }

  #fail(format: WireFormat, request: WireRequest | undefined): Response {
    const { model = 'unknown', isStreamed = false } = request ?? {};
    const reason = 'the guard failed, and failMode is closed';
    return refuse(format, { model, isStreamed }, { reason }, this.#options);
  }

  async #begin(
    refused: Refused,
    { headers, signal, scope = '', key, team, joined: told, reporting = plainly }: Traffic,
  ): Promise<ModelExchange | Response> {
    const { request } = refused;
    const user = nameIn(headers, USER_HEADER) ?? request.user;
    // Where callers are told apart, so are their users.
    const whose = scope !== '' && user ? `${scope}${hashOf(user)}/` : scope;
    const joined = this.#threads.join(request, this.#callerOf(request, headers, whose));
    const conversation = this.#breaker.conversation(joined.conversation);
    told?.(conversation);
    const report = (signal: SignalInput): void =>
      reporting(() => this.#report(conversation, signal), request);
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
      ...(user && { user }),
      ...(team && { team }),
      ...(key && { key }),
    } as const;
    const admit = () => conversation.admit(asked, { signal });
    const admission = await this.#asked(joined, reporting(admit, request));
    if (!admission.isAdmitted) {
      joined.ended(undefined);
      return this.#refusals.of(admission.trip, conversation, refused);
    }
    this.#refusals.admitted(conversation);
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
      typeof given === 'function' ? atOnce('agent and conversation', given(request)) : given;
    return {
      scope,
      agent: nameIn(headers, AGENT_HEADER) ?? told(agent),
      conversation: nameIn(headers, CONVERSATION_HEADER) ?? told(conversation),
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

const plainly = <T>(report: () => T): T => report();

/** Headers by which a caller names the agent, the conversation and its user. They are not sent on. */
const AGENT_HEADER = 'x-teamfuse-agent';
const CONVERSATION_HEADER = 'x-teamfuse-conversation';
const USER_HEADER = 'x-teamfuse-user';
export const NAMING_HEADERS: readonly string[] = [AGENT_HEADER, CONVERSATION_HEADER, USER_HEADER];

/** Of a longer name, less would be left for whose it is. */
const MAX_NAME = 900;

/** The name that a header gives, if any. @throws CallerMistake for one that is too long. */
function nameIn(headers: Headers, header: string): string | undefined {
  const name = headers.get(header) ?? '';
  if (name.length <= MAX_NAME) return name || undefined;
  throw new CallerMistake(
    `the header ${header} has ${name.length} characters, more than ${MAX_NAME}`,
  );
}

interface Sending {
  readonly sent: () => Promise<Response>;
  readonly signal: AbortSignal | undefined;
  readonly usage: AskedUsage;
}

async function send(
  format: WireFormat,
  request: WireRequest,
  exchange: ModelExchange,
  { sent, signal, usage }: Sending,
): Promise<Response> {
  let response: Response;
  try {
    response = await sent();
  } catch (error) {
    // A caller that leaves is no failure: what it asked for may be on its way.
    if (signal?.aborted) exchange.left();
    else exchange.failed(error);
    throw error;
  }
  if (!response.ok) {
    const { status } = response;
    exchange.failed(Object.assign(new Error(`HTTP ${status}`), { code: String(status) }));
    return response;
  }
  const type = response.headers.get('content-type') ?? '';
  const isStream = type.includes('event-stream') || (request.isStreamed && !type.includes('json'));
  if (isStream)
    return watchStream(response, format, exchange, { hidesUsage: usage.isHidden, signal });
  return watchWhole(response, format, exchange);
}
