import type { Breaker, Conversation, SignalInput, Trip } from '@teamfuse/core';
import { estimateTokens } from '@teamfuse/core/detectors';
import { internalsOf, ModelCall } from '@teamfuse/core/kit';
import type { Fields } from '../fields.ts';
import type { WireFormat, WireRequest } from '../formats/format.ts';
import { formatOf } from '../formats/index.ts';
import { Pieces } from '../identity/pieces.ts';
import { type Caller, type Joined, Threads } from '../identity/threads.ts';
import { boundedBody, type CheckedBounds } from './bounds.ts';
import { callerOf, userOf } from './caller.ts';
import { CallerMistake } from './caller-mistake.ts';
import type { CheckedOptions } from './check-options.ts';
import { Exchange, promptTokens } from './exchange.ts';
import { KeptTokens } from './kept-tokens.ts';
import { lastAnswerTokens, marked, withBound } from './last-answer.ts';
import { cut, mayTell, NOTICE_AUTHOR, Notices, withNotice } from './notices.ts';
import { readRequest } from './read-request.ts';
import { refuse, refuseMistake } from './refusal.ts';
import { Refusals, type Refused } from './refusals.ts';
import { answersIn, tokensBeside } from './request-size.ts';
import { NewsReader } from './signals.ts';
import { type Forward, type SentRequest, StreamUsage } from './stream-usage.ts';
import { UnreadCalls } from './unread.ts';
import { watchStream, watchWhole } from './watch-answer.ts';

/** A request to a model as it came. */
export interface Traffic {
  readonly url: string;
  readonly headers: Headers;
  /** The body as text. Rejects if it cannot be read. */
  readonly text: () => Promise<string>;
  readonly signal?: AbortSignal | undefined;
  /** Whose traffic it is, such as an API key's and a user's: conversations of different scopes never meet. @defaultValue all the same */
  readonly scope?: (user: string | undefined) => string;
  /** A name for the API key that pays, never the key itself. */
  readonly key?: string | undefined;
  /** The team or the customer for whom the call is made. */
  readonly team?: string | undefined;
  /** Within it the breaker hears of what a request brings, and may ask its judge. */
  readonly reportWithin?: <T>(report: () => T, request: WireRequest) => T;
  /**
   * Whether the answer is sent on over a connection: the error that ends a stream is its last event then.
   * @defaultValue false: its reader gets a TrippedError
   */
  readonly isSentOn?: boolean;
  /** Is told that the caller made a mistake, so that the request is refused. */
  readonly onMistake?: (mistake: string) => void;
  /** Is told which conversation the request belongs to. */
  readonly onConversation?: (conversation: Conversation) => void;
}

/** After so long a guard that failed may work again, such as one whose store was away. */
const SOON_MS = 1_000;
const LIMITS = { maxConversations: 1_000, maxNodes: 200_000 };

/** Guards requests to models: tells whose conversation each is, reports what is new in it, asks, and reads the answer. */
export class TrafficGuard {
  readonly #breaker: Breaker;
  readonly #options: CheckedOptions;
  readonly #threads: Threads;
  readonly #usage: StreamUsage;
  readonly #refusals: Refusals;
  readonly #notices: Notices;
  readonly #unread: UnreadCalls;
  readonly #kept = new KeptTokens();
  readonly #pieces = new Pieces();
  readonly #readers = new WeakMap<Conversation, NewsReader>();

  constructor(breaker: Breaker, options: CheckedOptions) {
    this.#breaker = breaker;
    this.#options = options;
    this.#unread = new UnreadCalls(options);
    this.#refusals = new Refusals(options);
    this.#notices = new Notices(breaker, options.nudge, options.onError);
    this.#usage = new StreamUsage(options.streamUsage);
    this.#threads = new Threads(() => crypto.randomUUID(), LIMITS);
  }

  /** How much a request may hold. */
  get bounds(): CheckedBounds {
    return this.#options.bounds;
  }

  /** Refuses a call to another path, if it costs what nobody could count. */
  unread(method: string, url: string, onMistake: Traffic['onMistake']): Response | undefined {
    return this.#unread.check(method, url, internalsOf(this.#breaker).isLimited(), onMistake);
  }

  /** Answers a request: with a refusal, or with what `forward` brings. */
  async handle(traffic: Traffic, forward: Forward): Promise<Response> {
    const format = formatOf(traffic.url);
    if (format === undefined) return forward();
    let text = '';
    let body: Fields | undefined;
    let request: WireRequest | undefined;
    let begun: Exchange | Response | undefined;
    try {
      text = await traffic.text();
      body = boundedBody(text, this.bounds);
      request = readRequest(format, body, traffic.url);
      const beside = format.beside?.(body) ?? body;
      begun = request && (await this.#begin({ format, request, body, beside }, traffic));
    } catch (error) {
      traffic.signal?.throwIfAborted();
      if (error instanceof CallerMistake) {
        traffic.onMistake?.(error.message);
        return refuseMistake(format, error);
      }
      this.#options.onError(error);
      if (this.#options.failMode === 'closed') return this.#fail(format, request);
    }
    if (begun instanceof Response) return begun;
    if (!body || !request || !begun) return forward();
    const { url, signal, isSentOn } = traffic;
    const { notice, isCut, lastTokens } = begun;
    const kept = isCut ? cut(format, body, text) : text;
    const told = notice === undefined ? kept : withNotice(format, body, kept, notice);
    const sent = lastTokens === undefined ? told : withBound(format, body, told, lastTokens);
    const asked = { format, request, body, text: sent, url };
    const onwards: Forward = (other = sent) => forward(other === text ? undefined : other);
    const sending = () => this.#usage.send(asked, onwards);
    const response = await send(format, request, begun, { sending, signal, isSentOn });
    return lastTokens === undefined ? response : marked(response);
  }

  #fail(format: WireFormat, request: WireRequest | undefined): Response {
    const { model = 'unknown', isStreamed = false, isList } = request ?? {};
    const reason = 'the guard failed, and failMode is closed';
    return refuse(
      format,
      { model, isStreamed, isList },
      { reason, retryInMs: SOON_MS },
      this.#options,
    );
  }

  async #begin(
    refused: Refused,
    {
      headers,
      signal,
      scope = everybody,
      key,
      team,
      onConversation,
      reportWithin = plainly,
    }: Traffic,
  ): Promise<Exchange | Response> {
    const { format, request, body, beside } = refused;
    this.#checkBackground(body);
    const user = userOf(request, headers);
    const whose = scope(user);
    const joined = this.#join(format, request, callerOf(request, headers, whose, this.#options));
    const conversation = this.#breaker.conversation(joined.conversation);
    onConversation?.(conversation);
    const report = (signal: SignalInput): void =>
      reportWithin(() => this.#report(conversation, signal), request);
    const reader = this.#readerOf(conversation);
    for (const told of reader.signalsOf(joined.news)) report(told);
    const notice = mayTell(format, body) ? this.#notices.take(conversation.id) : undefined;
    if (notice !== undefined) report({ kind: 'notice', agent: NOTICE_AUTHOR, text: notice });
    const requestId = crypto.randomUUID();
    const kept = this.#kept.of(request, whose);
    const more = tokensBeside(beside) + estimateTokens(notice ?? '');
    const inputTokens = promptTokens(request) + more + kept.tokens;
    const answers = answersIn(beside);
    const isTold = this.#refusals.isRefused(conversation);
    const most = lastAnswerTokens(this.#breaker, conversation, beside, isTold);
    const own = request.maxOutputTokens;
    const lastTokens = most === undefined ? undefined : Math.min(own ?? most, most);
    const maxOutputTokens = lastTokens ?? own;
    const asked = {
      kind: 'model-request',
      agent: joined.agent,
      model: request.model,
      requestId,
      inputTokens,
      ...(maxOutputTokens !== undefined && { maxOutputTokens }),
      ...(lastTokens !== undefined && { isWrapUp: true }),
      ...(answers > 1 && { answers }),
      ...(user && { user }),
      ...(team && { team }),
      ...(key && { key }),
    } as const;
    const admit = () => conversation.admit(asked, { signal });
    const admission = await this.#asked(joined, reportWithin(admit, request));
    if (!admission.isAdmitted) {
      joined.ended(undefined);
      return this.#refusals.of(admission.trip, conversation, refused);
    }
    if (lastTokens === undefined) this.#refusals.admitted(conversation);
    const { permit } = admission;
    const host = {
      observe: report,
      reportError: this.#options.onError,
      now: () => this.#breaker.now(),
    };
    const { streamLimit, isToldOfLoop } = internalsOf(this.#breaker);
    const begun = { ...asked, at: host.now() };
    const call = new ModelCall({ host, request: begun, permit, streamLimit });
    const isCut = this.#options.cutLaps && isToldOfLoop(conversation);
    const tripOf = (): Trip | undefined => conversation.trip;
    return new Exchange({
      call,
      joined,
      onAnswer: kept.answered,
      notice,
      isCut,
      lastTokens,
      tripOf,
    });
  }

  #join({ isInPieces }: WireFormat, request: WireRequest, caller: Caller): Joined {
    const { scope } = caller;
    const items = isInPieces ? this.#pieces.joined(scope, request.items) : request.items;
    const joined = this.#threads.join({ ...request, items }, caller);
    const ended: Joined['ended'] = (answer) => {
      if (isInPieces && answer !== undefined) this.#pieces.add(scope, answer);
      joined.ended(answer, this.#breaker.now());
    };
    return { ...joined, ended };
  }

  /** What an answer takes that is fetched later cannot be booked. @throws CallerMistake */
  #checkBackground({ background }: Fields): void {
    if (background !== true || !internalsOf(this.#breaker).isLimited()) return;
    throw new CallerMistake(
      'with a budget, background has to be false: what an answer takes that is fetched later cannot be counted',
    );
  }

  async #asked<T>(joined: Joined, admission: T | PromiseLike<T>): Promise<T> {
    try {
      return await admission;
    } catch (error) {
      joined.ended(undefined);
      throw error;
    }
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

const everybody = (): string => '';
const plainly = <T>(report: () => T): T => report();

interface Sending {
  readonly sending: () => Promise<SentRequest>;
  readonly signal: AbortSignal | undefined;
  readonly isSentOn: boolean | undefined;
}

async function send(
  format: WireFormat,
  request: WireRequest,
  exchange: Exchange,
  { sending, signal, isSentOn }: Sending,
): Promise<Response> {
  let sent: SentRequest;
  try {
    sent = await sending();
  } catch (error) {
    // A caller that leaves is no failure.
    if (signal?.aborted) exchange.abandoned();
    else exchange.failed(error);
    throw error;
  }
  const { response, hidesUsage } = sent;
  if (!response.ok) {
    const { status } = response;
    exchange.failed(Object.assign(new Error(`HTTP ${status}`), { code: String(status) }));
    return response;
  }
  const type = response.headers.get('content-type') ?? '';
  const isEvents = type.includes('event-stream');
  const isList = request.isList === true && !isEvents;
  const isStream = isEvents || isList || (request.isStreamed && !type.includes('json'));
  const options = { hidesUsage, signal, isSentOn, isList };
  if (isStream) return watchStream(response, format, exchange, options);
  return watchWhole(response, format, exchange);
}
