import { Breaker, type BreakerOptions, type Signal } from '@teamfuse/core';
import { type GuardFetchOptions, guardFetch } from '../../src/index.ts';

/** A message of Chat Completions. */
export type Message = Readonly<Record<string, unknown>>;

/** What the breaker was told, by conversation. */
export interface Told {
  readonly conversation: string;
  readonly signal: Signal;
}

const URL = 'https://api.example/v1/chat/completions';

/** A guarded `fetch` before an endpoint that answers as it is told, and what the breaker heard of it. */
export class Wiretap {
  readonly breaker: Breaker;
  readonly told: Told[] = [];
  /** The bodies that reached the endpoint. */
  readonly sent: { readonly body: string; readonly headers: Headers }[] = [];
  readonly fetch: typeof fetch;
  /** What the endpoint does next, instead of answering. */
  next: (() => Response | Promise<Response>) | undefined;

  constructor(options: GuardFetchOptions = {}, breaker: BreakerOptions = {}) {
    this.breaker = new Breaker(breaker);
    this.breaker.on('signal', ({ conversation, signal }) =>
      this.told.push({ conversation, signal }),
    );
    this.fetch = guardFetch(this.breaker, {
      ...options,
      fetch: async (input, init) => {
        const request = new Request(input, init);
        this.sent.push({ body: await request.text(), headers: request.headers });
        const act = this.next;
        this.next = undefined;
        return act ? act() : Response.json(answerOf(said(this.#answer)));
      },
    });
  }

  #answer: Message | string = '';

  /** Asks the endpoint, which answers so: with a text or a message. */
  async ask(
    messages: readonly Message[],
    answer: Message | string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Response> {
    this.#answer = answer;
    const body = JSON.stringify({ model: 'gpt-4o-mini', messages });
    return this.fetch(URL, { method: 'POST', headers, body });
  }

  /** The conversations, in the order in which they began. */
  get conversations(): readonly string[] {
    return [...new Set(this.told.map(({ conversation }) => conversation))];
  }

  /** What was said and done, without the accounts: `agent: text`, `agent> tool`. */
  get heard(): readonly string[] {
    return this.told.flatMap(({ signal }) => {
      if (signal.kind === 'message' || signal.kind === 'human-input') {
        return [`${signal.agent}: ${signal.text}`];
      }
      if (signal.kind === 'tool-call') return [`${signal.agent}> ${signal.tool}`];
      return signal.kind === 'execution' ? [`${signal.agent}$ ${signal.code}`] : [];
    });
  }
}

/** A message of the model. */
export function said(answer: Message | string): Message {
  return typeof answer === 'string' ? { role: 'assistant', content: answer } : answer;
}

/** An answer of the endpoint with this message. */
export function answerOf(message: Message): object {
  return {
    id: crypto.randomUUID(),
    object: 'chat.completion',
    created: 1,
    model: 'gpt-4o-mini',
    choices: [{ index: 0, message, finish_reason: 'stop' }],
    usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
  };
}

export const system = (content: string): Message => ({ role: 'system', content });
export const user = (content: string, name?: string): Message => ({
  role: 'user',
  content,
  ...(name !== undefined && { name }),
});

/** A message of the model that calls tools. */
export function calling(
  ...calls: readonly (readonly [id: string, tool: string, args: object])[]
): Message {
  return {
    role: 'assistant',
    content: null,
    tool_calls: calls.map(([id, name, args]) => ({
      id,
      type: 'function',
      function: { name, arguments: JSON.stringify(args) },
    })),
  };
}

export const result = (tool_call_id: string, content: string): Message => ({
  role: 'tool',
  tool_call_id,
  content,
});
