import { AsyncLocalStorage } from 'node:async_hooks';
import type { Breaker, Confirm } from '@teamfuse/core';
import { internalsOf, type Pricing } from '@teamfuse/core/kit';
import { modelJudge } from '@teamfuse/judge';
import { formatOf } from '../formats/index.ts';
import { askModel } from '../guard/index.ts';
import { KEY_HEADERS, withKeyOfQuery } from './caller-key.ts';

/** The request on whose behalf a judge may be asked. */
export interface Asking {
  readonly url: string;
  readonly headers: RequestInit['headers'];
  readonly model: string;
  /** The project that pays, where the API takes it in the body. */
  readonly project?: string | undefined;
}

/** How a judge asks. */
export interface JudgeParts {
  readonly send: typeof fetch;
  /** The key to ask with, instead of the caller's. */
  readonly key: string | undefined;
}

/** Headers that say something of the caller's one call, or its session, and nothing of the API. */
const OF_THE_CALL: readonly string[] = [
  ...['cookie', 'idempotency-key', 'x-idempotency-key', 'x-stainless-idempotency-key'],
  ...['x-request-id', 'x-client-request-id', 'x-correlation-id', 'traceparent', 'tracestate'],
  ...['baggage', 'referer', 'origin', 'forwarded', 'x-forwarded-for', 'x-real-ip'],
];

interface Message {
  readonly type: string;
  readonly content: string;
}

/**
 * Asks the upstream as a judge, with the key of the request that led to the question. The key is known while this request is
 * reported and its question is answered, and kept nowhere.
 */
export class CallersJudge {
  readonly #asking: AsyncLocalStorage<Asking> = new AsyncLocalStorage();
  readonly #parts: JudgeParts;
  #isLent = false;

  constructor(parts: JudgeParts) {
    this.#parts = parts;
  }

  /** Reports on behalf of a request. */
  within<T>(asking: Asking, report: () => T): T {
    // From the first run on, each promise of the process takes longer.
    return this.#isLent ? this.#asking.run(asking, report) : report();
  }

  /** Lends a breaker the judge that its options ask for: `true` is the model of the conversation, a name another one. */
  lendTo(breaker: Breaker): void {
    const { judges, pricing } = internalsOf(breaker);
    const { choice } = judges;
    if (choice === undefined || choice === false) return;
    this.#isLent = true;
    judges.lend(this.#judge(choice, pricing));
  }

  #judge(choice: true | string, pricing: Pricing): Confirm {
    const price = pricing.price.bind(pricing, 'judge');
    return (question) => {
      const asking = this.#asking.getStore();
      if (asking === undefined) throw new TypeError('no request is under way to ask a judge for');
      const model = choice === true ? asking.model : choice;
      const create = (messages: readonly Message[], { signal }: { signal: AbortSignal }) =>
        this.#ask({ ...asking, model }, messages, signal);
      return modelJudge({ model, create }, { prices: { price } })(question);
    };
  }

  async #ask(asking: Asking, messages: readonly Message[], signal: AbortSignal) {
    const { model, project } = asking;
    const textOf = (wanted: string): string =>
      messages.find(({ type }) => type === wanted)?.content ?? '';
    const question = { system: textOf('SystemMessage'), user: textOf('UserMessage') };
    const sent = { ...this.#withKey(asking), signal };
    const asked = { model, project, ...question };
    const { text, usage } = await askModel(this.#parts.send, sent, asked);
    return { content: text, usage };
  }

  /** The key goes where the caller's stood. */
  #withKey({ url, headers: given }: Asking): { url: string; headers: Headers } {
    const { key } = this.#parts;
    const headers = new Headers(given);
    for (const name of OF_THE_CALL) headers.delete(name);
    if (key === undefined) return { url, headers };
    const used = KEY_HEADERS.find((name) => withKeyOfQuery(headers, url).has(name));
    const address = withoutKey(url);
    for (const name of KEY_HEADERS) headers.delete(name);
    const isBearer = used === undefined || used === 'authorization';
    headers.set(used ?? 'authorization', isBearer ? `Bearer ${key}` : key);
    return { url: address, headers };
  }
}

/** An address without the key that it holds, if its API takes one there. */
function withoutKey(url: string): string {
  const { keyParameter } = formatOf(url) ?? {};
  if (keyParameter === undefined) return url;
  const address = new URL(url);
  address.searchParams.delete(keyParameter);
  return address.href;
}
